import { isObject, type Json, own, pointerTokens } from './json.ts';

/** JSON Schema's types (2020-12 Validation §6.1.1). */
export const JSON_TYPES: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/** Keywords that put further schemas on the same value (drafts 04 to 2020-12). */
export const COMPOSING: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** What an in-document reference points at; undefined for any other, and for one that leads nowhere. */
export function resolveReference(document: Json, reference: string): Json | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let tokens: string[];
  try {
    tokens = pointerTokens(decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
  let node: Json | undefined = document;
  for (const token of tokens) {
    if (Array.isArray(node)) node = /^\d{1,9}$/.test(token) ? node[Number(token)] : undefined;
    else if (isObject(node)) node = own(node, token);
    else return undefined;
  }
  return node;
}
