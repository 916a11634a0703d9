import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type ConfigNode, MAX_DEPTH, type Place, placeFinder, syntax } from './config-node.ts';

/** `SyntaxKind` of jsonc-parser, an ambient const enum that isolated modules cannot import. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  trivia: 15,
  end: 17,
};

/** Why a parse error of jsonc-parser occurred, in words. */
const WORDS: Record<string, string> = {
  InvalidSymbol: 'an unknown word',
  InvalidNumberFormat: 'a number that is not JSON',
  PropertyNameExpected: 'a property name is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is text after the end',
  InvalidCommentToken: 'a comment that is not allowed',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a string does not end',
  UnexpectedEndOfNumber: 'a number does not end',
  InvalidUnicode: 'a broken \\u escape',
  InvalidEscapeCharacter: 'a broken escape',
  InvalidCharacter: 'a character that must be escaped',
};

/**
 * Parses JSON with comments and trailing commas, a BOM aside. Throws `E_CONFIG_SYNTAX` with line and column.
 * Duplicate keys are kept, for the readers to refuse.
 */
export function parseJson(text: string, file: string): ConfigNode {
  const place = placeFinder(text);
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  refuseDepth(body, file, place);
  const errors: ParseError[] = [];
  const tree = parseTree(body, errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error || !tree) {
    const why = error ? (WORDS[printParseErrorCode(error.error)] ?? 'it is broken') : 'it is empty';
    throw syntax(file, place(error?.offset ?? 0), `${file} is not JSON: ${why}.`);
  }
  return convert(tree, place);
}

function refuseDepth(text: string, file: string, place: (offset: number) => Place): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) depth++;
    if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) depth--;
    if (depth > MAX_DEPTH) {
      throw syntax(file, place(scanner.getTokenOffset()), `${file} is nested more than ${MAX_DEPTH} deep.`);
    }
  }
}

function convert(node: Node, place: (offset: number) => Place): ConfigNode {
  const at = place(node.offset);
  if (node.type === 'array') {
    return { kind: 'array', place: at, items: (node.children ?? []).map((child) => convert(child, place)) };
  }
  if (node.type !== 'object') return { kind: 'scalar', place: at, value: node.value ?? null };
  const members = (node.children ?? []).flatMap(({ children }) => {
    const [key, value] = children ?? [];
    if (!key || !value) return [];
    return [{ key: String(key.value), place: place(key.offset), node: convert(value, place) }];
  });
  return { kind: 'object', place: at, members };
}

/** How strictly a client reads its JSON. */
export type Strictness = 'strict' | 'comments' | 'lenient';

/** Why a client of that strictness would not read a text that {@link parseJson} reads; undefined when it would. */
export function strictObjection(text: string, strictness: Strictness): string | undefined {
  if (strictness === 'lenient') return undefined;
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const scanner = createScanner(body, false);
  let previous: number | undefined;
  for (let token: number = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    const comment = token === TOKEN.lineComment || token === TOKEN.blockComment;
    if (comment && strictness === 'strict') return 'a comment';
    const closes = token === TOKEN.closeBrace || token === TOKEN.closeBracket;
    if (closes && previous === TOKEN.comma) return 'a trailing comma';
    if (!comment && token !== TOKEN.trivia && token !== TOKEN.lineBreak) previous = token;
  }
  return undefined;
}
