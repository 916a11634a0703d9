import { AgentGateError } from './errors.ts';
import { visibleLine } from './hidden.ts';
import type { Json } from './json.ts';
import { findJsonProblems, hasMarkRun, isInexact, type JsonLimits, type JsonProblem } from './json-scan.ts';

export type { JsonLimits, JsonProblem } from './json-scan.ts';

/** `DESIGN.md` §3.3: what is refused as unpinnable. */
export const JSON_LIMITS: JsonLimits = { maxDepth: 200, maxMarks: 1024 };

/**
 * Parses a JSON text and lists what may not be pinned: keys that are there twice in one object or equal each other
 * after NFC, nesting over `maxDepth`, lone surrogates, numbers that are not finite (with `exactIntegers`, integers that
 * would become others, too), more than `maxMarks` combining marks in a row. `value` is what `JSON.parse` gives (the last of two equal keys); it is undefined when the text is no
 * JSON, and then the only problem has the code `E_JSON`. Never throws, however deep the text is nested.
 */
export function scanJson(
  text: string,
  limits: Partial<JsonLimits> = {},
): { value: Json | undefined; problems: JsonProblem[] } {
  const bounds = { ...JSON_LIMITS, ...limits };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    const problems = findJsonProblems(text, bounds).filter((problem) => problem.code === 'E_JSON');
    return { value: undefined, problems };
  }
  return { value, problems: problemsOf(text, value, bounds) };
}

/** The problems of a text that `JSON.parse` has made `value` of; as {@link scanJson}, without parsing again. */
export function problemsOf(text: string, value: Json, limits: Partial<JsonLimits> = {}): JsonProblem[] {
  const bounds = { ...JSON_LIMITS, ...limits };
  // The precise scan costs several times the parse; most texts are fine, which is quick to see.
  return isSound(value, countMembers(text), bounds) ? [] : findJsonProblems(text, bounds);
}

/**
 * As {@link scanJson}, but throws an `AgentGateError` for the first problem, with the problem's code, a message that
 * names the JSON pointer, and for `E_JSON` the line and column.
 */
export function parseStrict(text: string, limits: Partial<JsonLimits> = {}): Json {
  const { value, problems } = scanJson(text, limits);
  const problem = problems[0];
  if (problem !== undefined) throw new AgentGateError(problem.code, describeProblem(problem));
  return value as Json;
}

/** One clause: `"/tools/0/description" is there twice in one object`. */
export function describeProblem(problem: JsonProblem): string {
  if (problem.code === 'E_JSON') return `the text ${problem.message}`;
  const { pointer } = problem;
  const short = pointer.length <= 200 ? pointer : `${pointer.slice(0, 120)}…${pointer.slice(-60)}`;
  return `${short === '' ? 'the document' : `"${visibleLine(short)}"`} ${problem.message}`;
}

/** Counts the members of all objects in a text that is valid JSON: a string before a colon is a key. */
function countMembers(text: string): number {
  let count = 0;
  let open = text.indexOf('"');
  while (open !== -1) {
    let close = text.indexOf('"', open + 1);
    while (text.charCodeAt(close - 1) === 92) {
      // An odd run of backslashes escapes the quote.
      let first = close - 1;
      while (text.charCodeAt(first - 1) === 92) first--;
      if ((close - first) % 2 === 0) break;
      close = text.indexOf('"', close + 1);
    }
    let next = close + 1;
    let code = text.charCodeAt(next);
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++next);
    if (code === 58) count++;
    open = text.indexOf('"', next);
  }
  return count;
}

/** True when a parsed value has as many members as its text and nothing else that {@link scanJson} lists. */
function isSound(root: Json, members: number, limits: JsonLimits): boolean {
  return soundMembers(root, limits, 0) === members;
}

/** Members of all objects in a value; NaN as soon as something is not sound. Recursion ends at the depth limit. */
function soundMembers(value: Json, limits: JsonLimits, depth: number): number {
  if (typeof value === 'string') return isSoundText(value, limits) ? 0 : Number.NaN;
  if (typeof value === 'number')
    return Number.isFinite(value) && !(limits.exactIntegers === true && isInexact(value)) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= limits.maxDepth) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += soundMembers(item, limits, depth + 1);
    return count;
  }
  for (const key of Object.keys(value)) {
    // Which keys collide after NFC is for the precise scan to say.
    if (!isSoundText(key, limits) || (NOT_ASCII.test(key) && key.normalize('NFC') !== key)) return Number.NaN;
    count += 1 + soundMembers(value[key] as Json, limits, depth + 1);
  }
  return count;
}

const NOT_ASCII = /[^\u0000-\u007F]/;

function isSoundText(text: string, limits: JsonLimits): boolean {
  return text.isWellFormed() && (text.length <= limits.maxMarks || !hasMarkRun(text, limits.maxMarks));
}
