/** JSON as a parser prints it. */
export type Tree = null | boolean | number | string | Tree[] | { [key: string]: Tree };

/** A node: a JSON object, not a list. */
export type TreeNode = { [key: string]: Tree };

export function isNode(tree: Tree | undefined): tree is TreeNode {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree);
}

/** The member `key` of a node, undefined for anything else. Never what an object inherits. */
export function member(tree: Tree | undefined, key: string): Tree | undefined {
  return isNode(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined;
}

export function nodeAt(tree: Tree | undefined, key: string): TreeNode | undefined {
  const found = member(tree, key);
  return isNode(found) ? found : undefined;
}

/** The list at `key`, empty when there is none. */
export function listAt(tree: Tree | undefined, key: string): Tree[] {
  const found = member(tree, key);
  return Array.isArray(found) ? found : [];
}

export function textAt(tree: Tree | undefined, key: string): string | undefined {
  const found = member(tree, key);
  return typeof found === 'string' ? found : undefined;
}

/** `[name, content]` of a node with one member, as both parsers write a tagged value: `{"A_Const": {…}}`. */
export function tagged(tree: Tree | undefined): [string, Tree] | undefined {
  if (!isNode(tree)) return undefined;
  const entries = Object.entries(tree);
  return entries.length === 1 ? entries[0] : undefined;
}

/** True when `test` holds for the tree or anything in it. */
export function someIn(tree: Tree | undefined, test: (node: TreeNode) => boolean): boolean {
  if (Array.isArray(tree)) return tree.some((item) => someIn(item, test));
  if (!isNode(tree)) return false;
  return test(tree) || Object.values(tree).some((item) => someIn(item, test));
}

/**
 * A copy of what a parser gives as plain JSON, without the members that say where in the text a node stood.
 * sqlparser writes an absent value as undefined (here null) and a large number as a BigInt (here text).
 */
export function plainTree(tree: unknown): Tree {
  if (Array.isArray(tree)) return tree.map(plainTree);
  if (typeof tree === 'string' || typeof tree === 'boolean' || typeof tree === 'number') return tree;
  if (typeof tree === 'bigint') return String(tree);
  if (typeof tree !== 'object' || tree === null) return null;
  const kept: [string, Tree][] = [];
  for (const [key, value] of Object.entries(tree)) {
    if (key === 'location' || key.endsWith('_location') || key === 'span' || key.endsWith('_token')) continue;
    kept.push([key, plainTree(value)]);
  }
  return Object.fromEntries(kept);
}
