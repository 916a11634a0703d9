import { isObject, type Json, type JsonObject } from './json.ts';

/** Integers that `JSON.parse` made into others, as they were written: by the object or array that holds them, and its key. */
const WRITTEN = new WeakMap<object, Map<string, string>>();
let any = false;

/** More digits than every safe integer has, or as many. */
const DIGITS = /(?<![\w.+-])-?\d{16,}(?![\d.eE])/g;
/** Begins each integer's text in the twin of a value. */
const MARK = 'integer ';

/**
 * Remembers the integers of a JSON text that the value, which `JSON.parse` made of it, does not hold as they were written
 * (beyond 2^53, or of other digits), for {@link stringifyExact}. The text must be sound: no key twice, not too deep.
 */
export function rememberIntegers(text: string, value: Json): void {
  const twin = markIntegers(text);
  if (twin === undefined) return;
  remember(JSON.parse(twin) as Json, value);
}

/**
 * As `JSON.stringify`, with the integers that were remembered for an object or array as they were written. A copy of an
 * object has those of its members that are objects themselves.
 */
export function stringifyExact(value: JsonObject): string {
  return any && holdsAny(value) ? write(value) : JSON.stringify(value);
}

/** The text with each such integer as a marked string; undefined where it holds none. */
function markIntegers(text: string): string | undefined {
  let marked = '';
  let from = 0;
  let found = false;
  while (from < text.length) {
    const open = text.indexOf('"', from);
    const end = open === -1 ? text.length : open;
    marked += text.slice(from, end).replace(DIGITS, (digits) => {
      if (String(Number(digits)) === digits) return digits;
      found = true;
      return `"${MARK}${digits}"`;
    });
    if (open === -1) break;
    from = stringEnd(text, open);
    marked += text.slice(open, from);
  }
  return found ? marked : undefined;
}

/** Behind the closing quote. */
function stringEnd(text: string, open: number): number {
  for (let at = open + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function remember(twin: Json, value: Json): void {
  if (typeof twin !== 'object' || twin === null || typeof value !== 'object' || value === null) return;
  for (const [key, marked] of Object.entries(twin)) {
    const held = (value as JsonObject)[key];
    if (typeof marked !== 'string' || typeof held !== 'number') {
      if (held !== undefined) remember(marked, held);
      continue;
    }
    const written = WRITTEN.get(value) ?? new Map<string, string>();
    WRITTEN.set(value, written.set(key, marked.slice(MARK.length)));
    any = true;
  }
}

/** To look is much cheaper than to write. */
function holdsAny(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return WRITTEN.has(value) || Object.values(value).some(holdsAny);
}

function write(value: Json): string {
  const written = typeof value === 'object' && value !== null ? WRITTEN.get(value) : undefined;
  if (Array.isArray(value))
    return `[${value.map((item, index) => written?.get(String(index)) ?? write(item)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${written?.get(key) ?? write(member)}`).join(',')}}`;
}
