import type { ServerView, TextContext, TextHit } from '../rule.ts';
import { has, hit, type Signal, sentenceAround, signals } from './signals.ts';

const TOOL_STEMS = ['tool', 'function', 'call', 'invok'];
const WHEN_STEMS = ['when', 'if ', ' time', 'anytime', 'as soon', 'once'];
const USED_STEMS = [
  'called',
  'used',
  'invoked',
  'run',
  'execute',
  'selected',
  'available',
  'triggered',
  'exist',
  'present',
  'installed',
  'connected',
  'about to',
  'fires',
];

const REFERENCE =
  /(?<![a-z0-9_./$\\{-])[a-z][a-z0-9]{0,30}(?:[_-][a-z0-9]{1,30}){1,6}(?![a-z0-9_-]|\.[a-z])/g;
const ORDERS =
  /(?<![a-z])(?:must|always|never|do not|don't|every|all|each|any|whenever|before|instead|rather|should|shall|replace|change|override|redirect|append|bcc|cc|forward|recipient|regardless|ignore|set the|use the)(?![a-z_-])/;

/** Text that names a tool of another server and says how to use it. */
export function namesForeignTool(context: TextContext): TextHit[] {
  if (context.role !== 'prose') return [];
  const { view } = context;
  const { text } = context.plain;
  for (const signal of identifiers(text)) {
    const name = signal.text;
    if (view.own.has(name) || view.parameters.has(name)) continue;
    const owner = view.foreign.get(name);
    if (owner === undefined) continue;
    const sentence = sentenceAround(text, signal);
    if (ORDERS.test(sentence.text.replaceAll(name, ' ')))
      return [hit(context, `gives orders about "${name}", a tool of "${owner}"`, signal)];
  }
  return [];
}

const NAME = '[a-z][a-z0-9]{0,30}(?:[_-][a-z0-9]{1,30}){1,6}';
/** With an underscore or in quotes a word is an identifier; "command-line tool" is none. */
const TOOL_BESIDE = new RegExp(
  [
    `(?:(?:tool|function)s?(?: called| named)?|calling|invoking|call|invoke) (?:["'\`](${NAME})|([a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,6}))(?![a-z0-9_-])`,
    `(?<![a-z0-9_./$\\{-])(?:["'\`](${NAME})["'\`]|([a-z][a-z0-9]{0,30}(?:_[a-z0-9]{1,30}){1,6}))(?:\\(\\))? (?:tool|function|mcp)(?![a-z0-9_-])`,
  ].join('|'),
  'g',
);

/** Text that gives orders about a tool which this server does not have. */
export function namesUnknownTool(context: TextContext): TextHit[] {
  if (context.role !== 'prose') return [];
  const { text } = context.plain;
  if (!has(text, TOOL_STEMS) || !/[_-]/.test(text)) return [];
  for (const match of text.matchAll(TOOL_BESIDE)) {
    const name = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    if (isOwn(context.view, name) || ADJECTIVE.test(name) || context.view.foreign.has(name)) continue;
    const signal = { start: match.index, end: match.index + match[0].length, text: match[0] };
    const others = sentenceAround(text, signal).text.replace(match[0], ' ');
    if (REDIRECTS.test(others))
      return [hit(context, `gives orders about the tool "${name}", which this server does not have`, signal)];
  }
  return [];
}

/** "A built-in tool", "the read-only function": words, no names. */
const ADJECTIVE =
  /^(?:built-in|read-only|write-only|third-party|first-party|high-level|low-level|general-purpose|full-text|real-time|server-side|client-side|open-source|long-running|follow-up|in-memory|[a-z]+-(?:based|specific|related|aware|like|style|only|level|side|safe|free|ready|driven|focused|powered|enabled|party|time|term|purpose))$/;

const REDIRECTS =
  /(?<![a-z])(?:must|always|never|every|all|each|any|whenever|instead|replace|change|override|redirect|append|bcc|cc|forward|recipient|regardless|silently|do not use|don't use|when|broken|deprecated|unsafe|insecure|compromised|rather than|no longer)(?![a-z])/;

function isOwn(view: ServerView, name: string): boolean {
  return (
    view.own.has(name) || view.parameters.has(name) || [...view.own].some((one) => one.toLowerCase() === name)
  );
}

function identifiers(text: string): Signal[] {
  if (!/[_-]/.test(text)) return [];
  return signals(text, REFERENCE);
}

const OTHER_TOOL =
  /(?<![a-z])(?:when(?:ever)?|if|each time|every time|any time|anytime|as soon as|once) (?:the (?:user|assistant|model) |you |any |an? |the |another |other )*(?:["'`]?[a-z0-9_-]{2,40}["'`]? ){0,3}?(?:tools?|functions?|[a-z0-9]{1,20}[_-][a-z0-9_-]{2,40})["'`]? (?:(?:is|are|gets?|has been|have been|was) (?:being )?(?:called|used|invoked|run|executed|selected|available|triggered|present|installed|connected|about to)|exists?|runs|fires|executes)(?![a-z])/g;
const ALTERS =
  /(?<![a-z])(?:put (?:the )?(?:account|iban|address|number|recipient|wallet)(?= )|replace|replaced|modify|modified|override|overridden|change|changed|swap|swapped|substitute|rewrite|redirect|append|appended|prepend|bcc|multiply|divide|increase|decrease|set (?:the|its|their)|must use|must set|must include|must be (?:changed|replaced|set)|instead of|first call|also call|must call|should call|always call)(?![a-z])/;

/** Text that changes what another tool is called with. */
export function altersOtherCalls(context: TextContext): TextHit[] {
  if (context.role !== 'prose') return [];
  const { text } = context.plain;
  if (!has(text, WHEN_STEMS)) return [];
  if (!has(text, USED_STEMS)) return [];
  let mild: TextHit | undefined;
  for (const signal of signals(text, OTHER_TOOL)) {
    if (/(?:this|the same) (?:tool|function)/.test(signal.text)) continue;
    const name = /[a-z0-9]{1,20}[_-][a-z0-9_-]{2,40}/.exec(signal.text)?.[0];
    if (name === context.name.toLowerCase()) continue;
    const after = text.slice(signal.end, signal.end + 220);
    const orders = ALTERS.exec(after);
    if (!orders) continue;
    const sibling = name !== undefined && context.view.own.has(name);
    const found = hit(context, 'changes what another tool is called with', signal, {
      start: signal.end + orders.index,
      end: signal.end + orders.index + orders[0].length,
      text: '',
    });
    if (!sibling) return [found];
    mild ??= { ...found, severity: 'low' };
  }
  return mild ? [mild] : [];
}
