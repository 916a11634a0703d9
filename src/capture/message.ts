import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { type JsonProblem, scanJson } from '../util/strict-json.ts';
import type { Incoming } from './channel.ts';
import { ENVELOPE_DEPTH, LIMITS } from './limits.ts';

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

/** Undefined when the text is no JSON at all. */
function parse(text: string): Incoming[] | undefined {
  let quick: Json;
  try {
    quick = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  // The scan parses again; what is no message does not get that far.
  const isMessage = (value: Json): value is JsonObject => isObject(value) && own(value, 'jsonrpc') === '2.0';
  if (!isMessage(quick) && !(Array.isArray(quick) && quick.some(isMessage))) return [];
  const batch = Array.isArray(quick);
  const scanned = scanJson(text, {
    maxDepth: LIMITS.definitionDepth + ENVELOPE_DEPTH + (batch ? 1 : 0),
  });
  const { value } = scanned;
  // The limit is a definition's; what stands around it is not the server author's concern.
  const problems = scanned.problems.map((problem) =>
    problem.code === 'E_TOO_DEEP'
      ? { ...problem, message: `is nested deeper than ${LIMITS.definitionDepth} levels` }
      : problem,
  );
  const bytes = Buffer.byteLength(text);
  if (!Array.isArray(value)) return [{ message: value as JsonObject, problems, bytes }];
  return value.flatMap((item, index) =>
    isMessage(item) ? [{ message: item, problems: within(problems, `/${index}`), bytes }] : [],
  );
}

function within(problems: JsonProblem[], prefix: string): JsonProblem[] {
  return problems
    .filter((problem) => problem.pointer === prefix || problem.pointer.startsWith(`${prefix}/`))
    .map((problem) => ({ ...problem, pointer: problem.pointer.slice(prefix.length) }));
}
