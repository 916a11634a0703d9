import { letGo } from './garbage.ts';

/** About as long is a part of {@link jsonParts}, in UTF-16 code units; one text can be longer. */
const PART = 1 << 20;

/**
 * What `JSON.stringify(value, null, 2)` gives for plain data, and one newline, in parts: for values whose text would take
 * as much memory again as they do.
 */
export function* jsonParts(value: unknown): Generator<string> {
  let part = '';
  for (const piece of pieces(value, '\n')) {
    part += piece;
    if (part.length < PART) continue;
    yield part;
    letGo(part.length);
    part = '';
  }
  yield `${part}\n`;
}

function* pieces(value: unknown, indent: string): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const list = Array.isArray(value);
  const inner = `${indent}  `;
  let before = list ? '[' : '{';
  const open = before;
  for (const [key, member] of Object.entries(value) as [string, unknown][]) {
    if (!list && member === undefined) continue;
    yield list ? before + inner : `${before}${inner}${JSON.stringify(key)}: `;
    yield* pieces(member, inner);
    before = ',';
  }
  const close = list ? ']' : '}';
  yield before === open ? open + close : indent + close;
}
