import { isNode, nodeAt, type Tree, textAt } from './tree.ts';

/** One part of a name. */
export interface NamePart {
  text: string;
  /** The quote around it, '' for none. */
  quote: string;
}

/** The parts of a name: identifiers, alone or wrapped. undefined when a part is something else (a function). */
export function nameParts(tree: Tree | undefined): NamePart[] | undefined {
  if (!Array.isArray(tree) || tree.length === 0) return undefined;
  const parts: NamePart[] = [];
  for (const item of tree) {
    const part = identifier(nodeAt(item, 'Identifier') ?? item);
    if (!part) return undefined;
    parts.push(part);
  }
  return parts;
}

/** `{"value": "x", "quote_style": null}`, the parser's identifier. */
export function identifier(tree: Tree | undefined): NamePart | undefined {
  const text = textAt(tree, 'value');
  if (text === undefined || !isNode(tree) || !Object.hasOwn(tree, 'quote_style')) return undefined;
  return { text, quote: textAt(tree, 'quote_style') ?? '' };
}
