import type { TextContext, TextHit } from '../rule.ts';
import { has, signals, stems } from './signals.ts';

const TEMPLATE =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|eom_id|channel|message|end|return|start|tool_call|tool|endofprompt)[^|<>]{0,40}\|>|\[\/?inst\]|<<\/?sys>>|<\/?(?:start_of_turn|end_of_turn)>|(?:^|\n)\s{0,8}(?:human|assistant|system|user)\s{0,2}:\s{0,2}(?=\S[^\n]{20})|\\n\s{0,4}(?:human|assistant|system): |(?:^|\n)#{1,6} ?system (?:prompt|message|instructions?|override):?\s|\[\/?(?:system|assistant)(?:[_ ](?:message|prompt|instructions?|note|override))?\]|<\/?(?:function_calls|antml:[a-z_]{1,30}|tool_calls?|function_results?)>/g;

const TEMPLATE_STEMS = [
  '<|',
  ...stems(
    'inst]|sys>>|_of_turn|assistant:|system:|assistant :|system :|[system|[/system|[assistant|[/assistant|<function|</function|antml|<tool_call|</tool_call',
  ),
];

/** Marks with which chat templates part the speakers. A transcript in an example needs more than one of "User:". */
export function imitatesTemplate(context: TextContext): TextHit[] {
  if (!has(context.plain.text, TEMPLATE_STEMS)) return [];
  const lower = context.raw.toLowerCase();
  const found = signals(lower.length === context.raw.length ? lower : context.plain.text, TEMPLATE);
  const marked = found.find((signal) => !/^\s*(?:human|assistant|system|user)\s*:/.test(signal.text));
  const speaker = found.find(
    (signal) => /^\s*(?:assistant|system)\s*:/.test(signal.text) && /\n/.test(signal.text),
  );
  const first = marked ?? speaker;
  if (!first) return [];
  return [{ start: first.start, end: first.end, message: 'imitates the marks of a chat template' }];
}

const TAG_WORDS =
  'important|critical|hidden|system|secret|secrets|instruction|instructions|admin|administrator|internal|internal[-_ ]use|override|urgent|mandatory|priority|directive|directives|assistant|developer|prompt|attention|confidential|private|notice|warning|rule|rules|policy|security|compliance|system[-_ ](?:prompt|message|instructions?|note|reminder)|(?:note|message|instructions?)[-_ ](?:to|for)[-_ ](?:the[-_ ])?(?:ai|model|llm|assistant|agent)|llm|ai|model|agent|agent[-_ ]instructions?|hidden[-_ ]instructions?|begin|do[-_ ]not[-_ ](?:show|reveal)|must[-_ ]read|read[-_ ]first';
/** Made of such words: <assistant_directive>, <critical-requirement>. */
const TAG_PARTS =
  'important|critical|hidden|system|secret|instructions?|admin|internal|override|urgent|mandatory|priority|directives?|assistant|developer|confidential|requirements?|rules?|polic(?:y|ies)|compliance|llm|ai|model|agent|orders?|commands?|setup|steps?|must|do|not|read|first|notes?|for|to|the';
const PAIRED = new RegExp(
  `<\\s{0,2}(${TAG_WORDS}|(?:${TAG_PARTS})(?:[-_](?:${TAG_PARTS})){1,4})(?:\\s[^<>]{0,80})?>`,
  'gi',
);
const ALONE =
  /<\s{0,2}(?:IMPORTANT|CRITICAL|HIDDEN|INSTRUCTIONS?|OVERRIDE|URGENT|MANDATORY|SYSTEM[-_ ](?:PROMPT|MESSAGE|INSTRUCTIONS?|NOTE))\s{0,2}\/?>/g;
/** `${SECRET:NAME}` is a reference, and what stands in a lock for a value. */
const BRACKET =
  /(?<!\$)[[{(]\s{0,2}(?:hidden|secret|system|internal|override|(?:hidden|secret|system|internal|admin|model|ai|llm|assistant|agent)[-_ ](?:instructions?|prompt|note|message|directive|only|notice)|(?:note|message|instructions?) (?:to|for) (?:the )?(?:ai|model|llm|assistant|agent)|important|critical)\s{0,2}[:\]})]/gi;

/** Tags that set text apart as an order: with a closing tag and a sentence between, or alone and in capitals. */
export function wrapsInTags(context: TextContext): TextHit[] {
  const { raw } = context;
  if (!/[<[{(]/.test(raw)) return [];
  const message = 'sets text apart for the model with a pseudo-tag';
  const lower = raw.toLowerCase();
  const closes = new Map<string, number>();
  for (const match of raw.matchAll(PAIRED)) {
    const open = match.index + match[0].length;
    const tag = (match[1] ?? '').toLowerCase();
    // Searched again only from behind the last one found: a text of nothing but opening tags stays linear.
    let close = closes.get(tag) ?? 0;
    if (close >= 0 && close < open) {
      close = lower.indexOf(`</${tag}`, open);
      closes.set(tag, close);
    }
    if (close < 0) continue;
    const words = raw.slice(open, Math.min(close, open + 400)).match(/\S{1,60}/g)?.length ?? 0;
    if (words >= 4) return [{ start: match.index, end: Math.min(close, open + 150), message }];
  }
  const [alone] = raw.matchAll(ALONE);
  if (alone && raw.length - alone.index - alone[0].length > 20)
    return [{ start: alone.index, end: alone.index + alone[0].length, message }];
  const [bracket] = raw.matchAll(BRACKET);
  if (bracket && /\w[^\n]{15}/.test(raw.slice(bracket.index + bracket[0].length, bracket.index + 400)))
    return [{ start: bracket.index, end: bracket.index + bracket[0].length, message, severity: 'low' }];
  return [];
}
