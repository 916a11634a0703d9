import type { LockedServer } from '../../lock/types.ts';
import { isObject, own, pointer } from '../../util/json.ts';
import { mixedWord, skeleton } from '../look-alikes.ts';
import type { PlaceHit, SchemaContext, ServerView, SurfaceHit, TextContext, TextHit } from '../rule.ts';
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

/** Names that any server may use for its own thing. */
const COMMON = new Set(
  'add|ask|browse|build|calculate|call|chat|check|close|connect|create|delete|deploy|describe|download|echo|edit|exec|execute|export|fetch|find|format|get|get_me|help|import|info|init|insert|list|log|login|logout|logs|move|open|ping|query|read|remove|render|reset|run|save|scrape|search|send|set|start|status|stop|summarize|sync|test|time|translate|update|upload|validate|version|whoami|write'.split(
    '|',
  ),
);

/** A name that says whose tool it is: parted words, or long. */
export function isDistinctive(name: string): boolean {
  return (
    name.length >= 6 &&
    !COMMON.has(name.toLowerCase()) &&
    (/[a-z0-9][_./-][a-z0-9]/i.test(name) || /[a-z][A-Z]/.test(name) || name.length >= 12)
  );
}

/** Two entries of one package, image or address are one program with two settings. */
export function sameSource(a: LockedServer, b: LockedServer): boolean {
  const [first, second] = [a.source, b.source];
  if (!first || !second || first.type !== second.type) return false;
  if (first.package !== undefined) return first.package === second.package;
  if (first.url !== undefined) return first.url === second.url;
  return first.path !== undefined && first.path === second.path;
}

interface Named {
  server: string;
  entry: LockedServer;
  name: string;
  text: string;
}

const CLAIMS =
  /(?<![a-z])(?:enhanced|improved version|better (?:than|version)|the official|genuine|safer|trusted|verified version|replaces the|replacement for|supersedes?|instead of (?:any|the|all|every) other|in place of|drop-in|the (?:real|original|correct) (?:one|tool|version)|(?:always|only) use this|use this (?:one|tool|version)? ?instead|corrected version)(?![a-z])/i;

function toolsOf(servers: ReadonlyMap<string, LockedServer>): Named[] {
  const all: Named[] = [];
  for (const [server, entry] of servers) {
    for (const [name, record] of entry.tools ?? []) {
      const description = record.definition ? own(record.definition, 'description') : undefined;
      all.push({ server, entry, name, text: typeof description === 'string' ? description : '' });
    }
  }
  return all;
}

/** The same distinctive name in two servers. */
export function sameNames(servers: ReadonlyMap<string, LockedServer>): SurfaceHit[] {
  const hits: SurfaceHit[] = [];
  for (const group of groups(toolsOf(servers), ({ name }) => name.toLowerCase())) {
    for (const one of group) {
      const other = group.find((two) => two.server !== one.server && !sameSource(one.entry, two.entry));
      if (!other) continue;
      const claims = CLAIMS.test(one.text.slice(0, 4000));
      if (!claims && !isDistinctive(one.name)) continue;
      hits.push(
        named(
          one,
          `is also the name of a tool of "${other.server}"${claims ? ', and its text claims to be the better one' : ''}`,
          claims ? 'medium' : undefined,
        ),
      );
    }
  }
  return hits;
}

/** Names that look alike without being equal. */
export function confusableNames(servers: ReadonlyMap<string, LockedServer>): SurfaceHit[] {
  const hits: SurfaceHit[] = [];
  for (const group of groups(toolsOf(servers), ({ name }) => skeleton(name))) {
    for (const one of group) {
      const other = group.find((two) => two.name.toLowerCase() !== one.name.toLowerCase() && alike(one, two));
      if (other) hits.push(named(one, `is easily taken for "${other.name}" of "${other.server}"`));
    }
  }
  return hits;
}

/** Inside one server, `readFile` beside `read_file` is a matter of style; look-alike letters are not. */
function alike(a: Named, b: Named): boolean {
  const ascii = /^[\x20-\x7e]*$/.test(a.name) && /^[\x20-\x7e]*$/.test(b.name);
  const letters = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (!ascii) return true;
  if (a.server === b.server) return letters(a.name) !== letters(b.name);
  return !sameSource(a.entry, b.entry) && (isDistinctive(a.name) || isDistinctive(b.name));
}

const SUFFIX =
  /[_-]?(?:enhanced|improved|better|official|secure|safe|safer|trusted|verified|pro|plus|new|v[0-9]{1,2}|[0-9]|real|original|fast|faster|premium|advanced|ultimate|fixed|latest|ex|next)$/i;
const PREFIX =
  /^(?:enhanced|improved|better|official|secure|safe|trusted|verified|pro|new|real|original|fast|super|the)[_-]?/i;

/** A name that is another server's name with a selling word. */
export function twinNames(servers: ReadonlyMap<string, LockedServer>): SurfaceHit[] {
  const all = toolsOf(servers);
  const byName = new Map<string, Named[]>();
  for (const one of all)
    byName.set(one.name.toLowerCase(), [...(byName.get(one.name.toLowerCase()) ?? []), one]);
  const hits: SurfaceHit[] = [];
  for (const one of all) {
    const lower = one.name.toLowerCase();
    for (const bare of [lower.replace(SUFFIX, ''), lower.replace(PREFIX, '')]) {
      if (bare === lower || bare.length < 3) continue;
      const other = byName
        .get(bare)
        ?.find((two) => two.server !== one.server && !sameSource(one.entry, two.entry));
      if (!other) continue;
      hits.push(named(one, `is the name "${other.name}" of "${other.server}" with a selling word`));
      break;
    }
  }
  return hits;
}

function named(one: Named, message: string, severity?: SurfaceHit['severity']): SurfaceHit {
  return {
    server: one.server,
    kind: 'tool',
    name: one.name,
    pointer: '/name',
    shown: one.name,
    message,
    ...(severity ? { severity } : {}),
  };
}

function groups(all: readonly Named[], key: (one: Named) => string): Named[][] {
  const map = new Map<string, Named[]>();
  for (const one of all) {
    const found = map.get(key(one));
    if (found) found.push(one);
    else map.set(key(one), [one]);
  }
  return [...map.values()].filter((group) => group.length > 1);
}

/** Look-alike letters of another script in a name of a tool, prompt or parameter. */
export function mixedScripts(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const look = (at: string, name: string): void => {
    if (/^[\x20-\x7e]*$/.test(name)) return;
    const word = mixedWord(name);
    if (word)
      hits.push({ pointer: at, shown: name, ...word, message: 'mixes letters of scripts that look alike' });
  };
  look(
    context.kind === 'resource' ? '/uri' : context.kind === 'resourceTemplate' ? '/uriTemplate' : '/name',
    context.name,
  );
  for (const { pointer: at, schema } of context.schemas) {
    const properties = own(schema, 'properties');
    if (isObject(properties))
      for (const name of Object.keys(properties)) look(at + pointer('properties', name), name);
  }
  return hits;
}

const REFERENCE =
  /(?<![a-z0-9_./$\\{-])[a-z][a-z0-9]{0,30}(?:[_-][a-z0-9]{1,30}){1,6}(?![a-z0-9_-]|\.[a-z])/g;
const ORDERS =
  /(?<![a-z])(?:must|always|never|do not|don't|every|all|each|any|whenever|before|instead|rather|should|shall|replace|change|override|redirect|append|bcc|cc|forward|recipient|regardless|ignore|set the|use the)(?![a-z_-])/;

/** Text that names a tool of another server and says how to use it. */
export function namesForeignTool(context: TextContext): TextHit[] {
  if (context.role !== 'prose') return [];
  const { view } = context;
  const { text } = context.plain;
  if (view.foreign.size > 0) {
    for (const signal of identifiers(text)) {
      const name = signal.text;
      const owner = view.foreign.get(name);
      if (owner === undefined || view.own.has(name) || view.parameters.has(name)) continue;
      const sentence = sentenceAround(text, signal);
      if (ORDERS.test(sentence.text.replaceAll(name, ' ')))
        return [hit(context, `gives orders about "${name}", a tool of "${owner}"`, signal)];
    }
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
    if (context.view.foreign.has(name) || isOwn(context.view, name) || ADJECTIVE.test(name)) continue;
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
  /(?<![a-z])(?:replace|replaced|modify|modified|override|overridden|change|changed|swap|swapped|substitute|rewrite|redirect|append|appended|prepend|bcc|multiply|divide|increase|decrease|set (?:the|its|their)|must use|must set|must include|must be (?:changed|replaced|set)|instead of|first call|also call|must call|should call|always call)(?![a-z])/;

/** Text that changes what another tool is called with. */
export function altersOtherCalls(context: TextContext): TextHit[] {
  if (context.role !== 'prose') return [];
  const { text } = context.plain;
  if (!has(text, WHEN_STEMS)) return [];
  if (!has(text, USED_STEMS)) return [];
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
    return [sibling ? { ...found, severity: 'low' } : found];
  }
  return [];
}
