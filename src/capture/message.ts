import { rememberIntegers } from '../util/exact-integers.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { MAX_PROBLEMS } from '../util/json-scan.ts';
import { countValues } from '../util/json-text.ts';
import { type JsonProblem, problemsOf } from '../util/strict-json.ts';
import type { Incoming } from './channel.ts';
import { ENVELOPE_DEPTH, LIMITS } from './limits.ts';
import { weightOf } from './memory.ts';

/** Where a message may begin behind a banner that has no line end of its own. */
const MESSAGE_START = /\{\s*"(?:jsonrpc|id|result|error|method|params)"\s*:/g;
/** A line of noise could hold thousands of them. */
const MAX_STARTS = 8;

/**
 * Reads JSON-RPC 2.0 messages out of a text: one, or an array of them (revision 2025-03-26 has batches). Gives an empty
 * list when there is none. With `recover`, a message that stands behind other text on the line is found as well.
 */
export function readMessages(text: string, options: { recover?: boolean; batch?: boolean } = {}): Incoming[] {
  const first = text.trimStart()[0];
  if (first === '{' || (first === '[' && options.batch === true)) {
    const whole = parse(text);
    if (whole !== undefined) return whole;
  }
  if (options.recover !== true) return [];
  let starts = 0;
  for (const match of text.matchAll(MESSAGE_START)) {
    if (match.index === 0) continue;
    if (++starts > MAX_STARTS) break;
    const found = parse(text.slice(match.index));
    if (found !== undefined && found.length > 0)
      return found.map((incoming) => ({ ...incoming, recovered: true }));
  }
  return [];
}

/** Undefined when the text is no JSON at all. One with too many values is not parsed: that would take all memory. */
function parse(text: string): Incoming[] | undefined {
  const values = countValues(text);
  if (values > LIMITS.values)
    return [{ message: {}, problems: [], bytes: text.length, values, weight: 0, tooManyValues: true }];
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  const isMessage = (one: Json): one is JsonObject => isObject(one) && own(one, 'jsonrpc') === '2.0';
  if (!isMessage(value) && !(Array.isArray(value) && value.some(isMessage))) return [];
  const maxDepth = LIMITS.definitionDepth + ENVELOPE_DEPTH + (Array.isArray(value) ? 1 : 0);
  // The limit is a definition's; what stands around it is not the server author's concern.
  const problems = problemsOf(text, value, { maxDepth }).map((problem) =>
    problem.code === 'E_TOO_DEEP'
      ? { ...problem, message: `is nested deeper than ${LIMITS.definitionDepth} levels` }
      : problem,
  );
  if (problems.length === 0) rememberIntegers(text, value);
  const size = { bytes: Buffer.byteLength(text), values, weight: weightOf(text, values) };
  if (!Array.isArray(value)) return [{ message: value, problems, ...size }];
  return value.flatMap((item, index) =>
    isMessage(item) ? [{ message: item, problems: within(problems, `/${index}`), ...size }] : [],
  );
}

function within(problems: JsonProblem[], prefix: string): JsonProblem[] {
  // A list that was cut may lack this message's own.
  if (problems.length >= MAX_PROBLEMS) return problems;
  return problems
    .filter((problem) => problem.pointer === prefix || problem.pointer.startsWith(`${prefix}/`))
    .map((problem) => ({ ...problem, pointer: problem.pointer.slice(prefix.length) }));
}
