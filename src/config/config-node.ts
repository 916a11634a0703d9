import { AgentGateError } from '../util/errors.ts';

/** 1-based. */
export interface Place {
  line: number;
  column: number;
}

export interface ConfigMember {
  key: string;
  place: Place;
  node: ConfigNode;
}

export interface ObjectNode {
  kind: 'object';
  place: Place;
  members: ConfigMember[];
}

export interface ArrayNode {
  kind: 'array';
  place: Place;
  items: ConfigNode[];
}

export interface ScalarNode {
  kind: 'scalar';
  place: Place;
  value: string | number | boolean | null;
}

/** A config of any format, with the place of every part. Members keep their order and their duplicates. */
export type ConfigNode = ObjectNode | ArrayNode | ScalarNode;

/** Deeper than any config; parsers and readers recurse. */
export const MAX_DEPTH = 100;

/** The error of a value that has the wrong shape. */
export function invalid(file: string, place: Place, message: string): AgentGateError {
  return new AgentGateError('E_CONFIG_INVALID', message, { file, line: place.line, column: place.column });
}

/** The error of a text that is not in its format. */
export function syntax(file: string, place: Place, message: string): AgentGateError {
  return new AgentGateError('E_CONFIG_SYNTAX', message, { file, line: place.line, column: place.column });
}

/** The member of that name; a `null` counts as absent. Throws nothing: duplicates are found by {@link refuseDuplicates}. */
export function member(node: ConfigNode, key: string): ConfigMember | undefined {
  if (node.kind !== 'object') return undefined;
  const found = node.members.find((candidate) => candidate.key === key);
  return found && !(found.node.kind === 'scalar' && found.node.value === null) ? found : undefined;
}

/** Follows member names from `node`. */
export function memberAt(node: ConfigNode, path: readonly string[]): ConfigMember | undefined {
  let found: ConfigMember | undefined;
  let current = node;
  for (const key of path) {
    found = member(current, key);
    if (!found) return undefined;
    current = found.node;
  }
  return found;
}

/**
 * As {@link memberAt}. Throws `E_CONFIG_INVALID` when one of the names is there twice: most parsers would take the last
 * one, so that what is read here would not be what the client reads.
 */
export function uniqueMemberAt(
  file: string,
  node: ConfigNode,
  path: readonly string[],
): ConfigMember | undefined {
  let current = node;
  for (const key of path) {
    if (current.kind !== 'object') return undefined;
    const [first, second] = current.members.filter((candidate) => candidate.key === key);
    if (second) throw invalid(file, second.place, `${file} has ${JSON.stringify(key)} twice; merge them.`);
    if (!first) return undefined;
    current = first.node;
  }
  return memberAt(node, path);
}

/** Throws `E_CONFIG_INVALID` when an object holds a key twice, at any depth: parsers would silently take the last. */
export function refuseDuplicates(file: string, node: ConfigNode, what: string): void {
  if (node.kind === 'array') for (const item of node.items) refuseDuplicates(file, item, what);
  if (node.kind !== 'object') return;
  const seen = new Map<string, Place>();
  for (const { key, place, node: child } of node.members) {
    const first = seen.get(key);
    if (first) {
      throw invalid(
        file,
        place,
        `${what} has ${JSON.stringify(key)} twice, first on line ${first.line}; remove one.`,
      );
    }
    seen.set(key, place);
    refuseDuplicates(file, child, what);
  }
}

/** Line and column of offsets in a text. */
export function placeFinder(text: string): (offset: number) => Place {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** Plain data of a node; objects become null-prototype objects, so that no name is special. */
export function plain(node: ConfigNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(plain);
  const result: Record<string, unknown> = Object.create(null);
  for (const { key, node: child } of node.members) result[key] = plain(child);
  return result;
}
