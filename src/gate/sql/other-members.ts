import { isNode, type Tree } from './tree.ts';
import type { SqlConcern } from './types.ts';

/** True for what the parser writes where nothing is. */
export const isEmpty = (value: Tree): boolean =>
  value === null || value === false || value === 'None' || (Array.isArray(value) && value.length === 0);

/** The members of a node that are there and not known. */
export function unknownMembers(node: Tree, known: string): string[] {
  const names = new Set(known.split(' '));
  if (!isNode(node)) return [];
  return Object.entries(node)
    .filter(([key, value]) => !names.has(key) && !key.endsWith('_token') && key !== 'span' && !isEmpty(value))
    .map(([key]) => key);
}

/** The same, as reasons to hold. */
export function membersConcerns(type: string, node: Tree, known: string): SqlConcern[] {
  return unknownMembers(node, known).map((key) => ({ code: 'E_SQL_SHAPE', text: `${type} with ${key}` }));
}
