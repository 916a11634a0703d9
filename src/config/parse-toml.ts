import { parse, TomlError } from 'smol-toml';
import { type ConfigNode, MAX_DEPTH, type Place, syntax } from './config-node.ts';

/**
 * Parses TOML. Throws `E_CONFIG_SYNTAX` with line and column (a key or table given twice is a syntax error in
 * TOML). The library gives no places: a table has the place of its header, and so has all in it.
 */
export function parseToml(text: string, file: string): ConfigNode {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  refuseLongKeys(body, file);
  let data: unknown;
  try {
    data = parse(body, { maxDepth: MAX_DEPTH });
  } catch (error) {
    const place =
      error instanceof TomlError ? { line: error.line, column: error.column } : { line: 1, column: 1 };
    const first = error instanceof TomlError ? error.message.split('\n')[0] : 'it is nested too deep';
    const why = (first ?? '').replace(/^Invalid TOML document: /, '').replace(/\.$/, '');
    throw syntax(file, place, `${file} is not TOML: ${why}.`);
  }
  return convert(data, headerPlaces(body), { line: 1, column: 1 });
}

const KEY_PART = `(?:[\\w-]+|"[^"]*"|'[^']*')`;
const DOTTED = `${KEY_PART}(?:\\s*\\.\\s*${KEY_PART})*`;
const HEADER = new RegExp(`^\\s*\\[{1,2}\\s*(${DOTTED})\\s*\\]`);
const ASSIGNMENT = new RegExp(`^\\s*(${DOTTED})\\s*=`);

const PART = /"([^"]*)"|'([^']*)'|([\w-]+)/g;
const LONG_KEY = new RegExp(`(?<![\\w-])${DOTTED.slice(0, -1)}{${MAX_DEPTH},}`);

/** The library makes a table for each part of a dotted key, however many there are, and needs memory with their square. */
function refuseLongKeys(text: string, file: string): void {
  const found = LONG_KEY.exec(text);
  if (!found) return;
  const before = text.slice(0, found.index);
  const place = {
    line: before.split('\n').length,
    column: found.index - before.lastIndexOf('\n'),
  };
  throw syntax(file, place, `${file} has a key of more than ${MAX_DEPTH} parts.`);
}

/** Where a table or key first stands, and what is in it. */
interface Known {
  place?: Place;
  below: Map<string, Known>;
}

/** Good enough for messages: what a text in several lines holds counts as well. */
function headerPlaces(text: string): Known {
  const top: Known = { below: new Map() };
  let above = top;
  for (const [index, line] of text.split('\n').entries()) {
    const header = HEADER.exec(line)?.[1];
    const dotted = header ?? ASSIGNMENT.exec(line)?.[1];
    if (dotted === undefined) continue;
    const place = { line: index + 1, column: line.search(/\S/) + 1 };
    let known = header === undefined ? above : top;
    for (const match of dotted.matchAll(PART)) {
      const part = match[1] ?? match[2] ?? match[3] ?? '';
      const next = known.below.get(part) ?? { place, below: new Map() };
      known.below.set(part, next);
      known = next;
    }
    if (header !== undefined) above = known;
  }
  return top;
}

function convert(value: unknown, known: Known | undefined, parent: Place): ConfigNode {
  const place = known?.place ?? parent;
  if (Array.isArray(value)) {
    return { kind: 'array', place, items: value.map((item) => convert(item, undefined, place)) };
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'scalar', place, value };
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return { kind: 'scalar', place, value: value === undefined || value === null ? null : String(value) };
  }
  const members = Object.entries(value).map(([key, child]) => {
    const node = convert(child, known?.below.get(key), place);
    return { key, place: node.place, node };
  });
  return { kind: 'object', place, members };
}
