import { parse, TomlError } from 'smol-toml';
import { type ConfigNode, MAX_DEPTH, type Place, syntax } from './config-node.ts';

/**
 * Parses TOML. Throws `E_CONFIG_SYNTAX` with line and column (a key or table given twice is a syntax error in
 * TOML). The library gives no places: a table has the place of its header, and so has all in it.
 */
export function parseToml(text: string, file: string): ConfigNode {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
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
  return convert(data, [], headerPlaces(body), { line: 1, column: 1 });
}

const KEY_PART = `(?:[\\w-]+|"[^"]*"|'[^']*')`;
const DOTTED = `${KEY_PART}(?:\\s*\\.\\s*${KEY_PART})*`;
const HEADER = new RegExp(`^\\s*\\[{1,2}\\s*(${DOTTED})\\s*\\]`);
const ASSIGNMENT = new RegExp(`^\\s*(${DOTTED})\\s*=`);

/** Where each table or key first stands, keyed by the JSON of its full path. Good enough for messages. */
function headerPlaces(text: string): Map<string, Place> {
  const places = new Map<string, Place>();
  let above: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const header = HEADER.exec(line)?.[1];
    const dotted = header ?? ASSIGNMENT.exec(line)?.[1];
    if (dotted === undefined) continue;
    const parts = [...dotted.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
      (m) => m[1] ?? m[2] ?? m[3] ?? '',
    );
    const path = header === undefined ? [...above, ...parts] : parts;
    if (header !== undefined) above = parts;
    const place = { line: index + 1, column: line.search(/\S/) + 1 };
    for (let length = path.length; length > 0; length--) {
      const key = JSON.stringify(path.slice(0, length));
      if (!places.has(key)) places.set(key, place);
    }
  }
  return places;
}

function convert(value: unknown, path: string[], places: Map<string, Place>, parent: Place): ConfigNode {
  const place = places.get(JSON.stringify(path)) ?? parent;
  if (Array.isArray(value)) {
    return { kind: 'array', place, items: value.map((item) => convert(item, [...path, '#'], places, place)) };
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'scalar', place, value };
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return { kind: 'scalar', place, value: value === undefined || value === null ? null : String(value) };
  }
  const members = Object.entries(value).map(([key, child]) => {
    const node = convert(child, [...path, key], places, place);
    return { key, place: node.place, node };
  });
  return { kind: 'object', place, members };
}
