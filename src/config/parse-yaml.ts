import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { type ConfigNode, MAX_DEPTH, type Place, syntax } from './config-node.ts';

/**
 * Parses one YAML 1.2 document. Throws `E_CONFIG_SYNTAX` with line and column: syntax errors, duplicate keys,
 * several documents, unknown tags, and every alias (an alias can make a few lines into gigabytes).
 * An empty document is an empty object.
 */
export function parseYaml(text: string, file: string): ConfigNode {
  const lines = new LineCounter();
  let document: Document.Parsed;
  try {
    document = parseDocument(text.startsWith('\uFEFF') ? text.slice(1) : text, {
      lineCounter: lines,
      // The library compares every key with all before it: a minute and more for a large file. See `convert`.
      uniqueKeys: false,
      prettyErrors: false,
      schema: 'core',
      version: '1.2',
    });
  } catch {
    // The parser recurses: a flood of brackets ends its stack.
    throw syntax(
      file,
      { line: 1, column: 1 },
      `${file} is not YAML that can be read: it is nested too deep.`,
    );
  }
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem) {
    const why = problem.message.split('\n')[0]?.replace(/[.:]$/, '') ?? 'it is broken';
    throw syntax(file, place(problem.pos[0]), `${file} is not YAML that can be read: ${why}.`);
  }
  visit(document, {
    Alias: (_, alias) => {
      throw syntax(file, place(alias.range?.[0] ?? 0), `${file} uses a YAML alias; write the value out.`);
    },
  });
  const contents = document.contents;
  if (contents === null) return { kind: 'object', place: { line: 1, column: 1 }, members: [] };
  return convert(contents, place, file, 0);
}

function convert(node: unknown, place: (offset: number) => Place, file: string, depth: number): ConfigNode {
  const offset = isMap(node) || isSeq(node) || isScalar(node) ? (node.range?.[0] ?? 0) : 0;
  const at = place(offset);
  if (depth > MAX_DEPTH) throw syntax(file, at, `${file} is nested more than ${MAX_DEPTH} deep.`);
  if (isSeq(node)) {
    return {
      kind: 'array',
      place: at,
      items: node.items.map((item) => convert(item, place, file, depth + 1)),
    };
  }
  if (isMap(node)) {
    const seen = new Set<string>();
    const members = node.items.map(({ key, value }) => {
      if (!isScalar(key) || isAlias(key)) throw syntax(file, at, `${file} has a key that is no plain text.`);
      const name = String(key.value);
      const keyPlace = place(key.range?.[0] ?? 0);
      if (seen.has(name)) {
        throw syntax(file, keyPlace, `${file} has the key ${JSON.stringify(name)} twice; remove one.`);
      }
      seen.add(name);
      const child: ConfigNode =
        value === null
          ? { kind: 'scalar', place: keyPlace, value: null }
          : convert(value, place, file, depth + 1);
      return { key: name, place: keyPlace, node: child };
    });
    return { kind: 'object', place: at, members };
  }
  const value = isScalar(node) ? node.value : null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { kind: 'scalar', place: at, value };
  }
  return { kind: 'scalar', place: at, value: value === null || value === undefined ? null : String(value) };
}
