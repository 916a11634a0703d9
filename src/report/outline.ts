import { hasProse } from '../drift/severity.ts';
import { hasHidden } from '../util/hidden.ts';
import type { Json } from '../util/json.ts';

/** Leaves that an outline has at most; a surface of 64 MiB can hold millions. */
const LEAVES = 2_000;
/** A longer value or key is shown even when no sentence is found in it. */
const LONG = 120;
/** A list of plain values up to this many characters is one leaf. */
const SHORT_LIST = 400;

interface Leaf {
  text: string;
  /** What is told, wherever it stands: the value, with the key when that can be read. */
  told: string;
  /** A model could read it as words: a sentence in the value or in a key, hidden characters, a long value. */
  readable: boolean;
}

function leavesOf(value: Json, prefix: string): Leaf[] {
  const leaves: Leaf[] = [];
  const add = (path: string, words: string, readableKey: boolean): void => {
    const text = `${path === '' ? '' : `${path}: `}${words.replace(/\r?\n/g, '\n  ')}`;
    leaves.push({ text, told: readableKey ? text : words, readable: readableKey || isReadable(words) });
  };
  const walk = (node: Json, path: string, readable: boolean): void => {
    if (leaves.length > LEAVES) return;
    if (typeof node === 'string') add(path, node, readable);
    else if (node === null || typeof node !== 'object') add(path, JSON.stringify(node), readable);
    else if (Array.isArray(node)) {
      const plain = node.every((item) => item === null || typeof item !== 'object');
      const list = plain ? JSON.stringify(node) : '';
      if (plain && list.length <= SHORT_LIST) add(path, list, readable);
      else for (const [index, item] of node.entries()) walk(item, `${path}[${index}]`, readable);
    } else {
      const keys = Object.keys(node);
      if (keys.length === 0) add(path, '{}', readable);
      for (const key of keys) {
        const shown = /^[\p{L}\p{N}_$-]+$/u.test(key) ? key : JSON.stringify(key);
        const words = key.replace(/[_-]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
        // A key of three words is a name; one of six is a sentence.
        const sentence = isReadable(key) || words.split(' ').length > 5;
        walk(node[key] ?? null, path === '' ? shown : `${path}.${shown}`, readable || sentence);
      }
    }
  };
  walk(value, prefix, false);
  if (leaves.length > LEAVES) leaves.push({ text: '… the rest is in the report', told: '', readable: true });
  return leaves;
}

function isReadable(words: string): boolean {
  return words.length > LONG || hasProse(words) || hasHidden(words);
}

/**
 * Everything in a JSON value, one leaf a line: `properties.a.type: string`. Texts stay whole, their further lines
 * indented.
 */
export function outline(value: Json, prefix = ''): string {
  return leavesOf(value, prefix)
    .map((leaf) => leaf.text)
    .join('\n');
}

/** Those lines of an {@link outline} that a model could read as words. The others are structure. */
export function proseOf(value: Json | undefined, prefix = ''): string {
  if (value === undefined) return '';
  return leavesOf(value, prefix)
    .filter((leaf) => leaf.readable)
    .map((leaf) => leaf.text)
    .join('\n');
}

/** The readable lines on each side whose words do not stand anywhere on the other side: moved texts are no news. */
export function newProse(
  before: Json | undefined,
  after: Json | undefined,
): { before: string; after: string } {
  const old = before === undefined ? [] : leavesOf(before, '');
  const now = after === undefined ? [] : leavesOf(after, '');
  const only = (these: Leaf[], those: Leaf[]): string => {
    const known = new Set(those.map((leaf) => leaf.told));
    return these
      .filter((leaf) => leaf.readable && !known.has(leaf.told))
      .map((leaf) => leaf.text)
      .join('\n');
  };
  return { before: only(old, now), after: only(now, old) };
}
