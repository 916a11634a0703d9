import { endOfString } from '../util/json-text.ts';
/** 1-based line numbers in a lock's text. */
export interface LockLines {
  /** Line of the deepest known member on a path of keys, at most four deep; undefined for the empty path. */
  at(path: readonly string[]): number | undefined;
  server(key: string): number | undefined;
  /** `kind` as in reports; for `instructions` and `server` the name does not count. */
  capability(key: string, kind: string, name: string): number | undefined;
}

const LIST = new Map([
  ['tool', 'tools'],
  ['prompt', 'prompts'],
  ['resource', 'resources'],
  ['resourceTemplate', 'resourceTemplates'],
  ['skill', 'skills'],
  ['instructions', 'instructions'],
]);

/** servers / key / tools / name. */
const DEPTH = 4;

interface Node {
  line: number;
  below: Map<string, Node>;
}

/**
 * Finds the lines of the servers and capabilities in the text of a lock, on first use, or `now`, so that the text can go;
 * in one pass. Works for any formatting. For a text that is not valid JSON the answers are as good as they can be.
 */
export function lockLines(text: string, options: { now?: boolean } = {}): LockLines {
  if (options.now === true) {
    const known = scan(text);
    return linesOf(() => known);
  }
  let root: Node | undefined;
  return linesOf(() => {
    root ??= scan(text);
    return root;
  });
}

function linesOf(scanned: () => Node): LockLines {
  const at = (path: readonly string[]): number | undefined => {
    const root = scanned();
    let node: Node = root;
    for (const key of path) {
      const next = node.below.get(key);
      if (next === undefined) break;
      node = next;
    }
    return node === root ? undefined : node.line;
  };
  const exact = (path: readonly string[]): number | undefined => {
    let node: Node | undefined = scanned();
    for (const key of path) node = node?.below.get(key);
    return node?.line;
  };
  return {
    at,
    server: (key) => exact(['servers', key]),
    capability: (key, kind, name) => {
      const list = LIST.get(kind);
      if (list === undefined) return exact(['servers', key]);
      return exact(kind === 'instructions' ? ['servers', key, list] : ['servers', key, list, name]);
    },
  };
}

/** The start of a string, or one of the characters that matter; everything between is skipped by the engine. */
const TOKEN = /["{}[\]:]/g;

function scan(text: string): Node {
  const root: Node = { line: 0, below: new Map() };
  const open: (Node | undefined)[] = [];
  let current: Node | undefined;
  let depth = 0;
  let line = 1;
  let counted = 0;
  let pending: { start: number; end: number } | undefined;
  const token = new RegExp(TOKEN);
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const first = text.charCodeAt(match.index);
    if (first === 34) {
      const close = endOfString(text, match.index);
      if (close === -1) break;
      if (depth <= DEPTH) pending = { start: match.index, end: close + 1 };
      token.lastIndex = close + 1;
    } else if (first === 58) {
      const node = open[depth];
      if (pending !== undefined && node !== undefined && depth <= DEPTH) {
        for (let next = text.indexOf('\n', counted); next !== -1 && next < pending.start; ) {
          line++;
          counted = next + 1;
          next = text.indexOf('\n', counted);
        }
        current = { line, below: new Map() };
        node.below.set(keyOf(text.slice(pending.start, pending.end)), current);
      }
    } else if (first === 123 || first === 91) {
      depth++;
      open[depth] = depth === 1 ? root : first === 123 && depth <= DEPTH ? current : undefined;
      if (depth === 1 && first === 91) open[depth] = undefined;
      current = undefined;
    } else if (depth > 0) {
      open[depth] = undefined;
      depth--;
    }
  }
  return root;
}

/** Parsed, not sliced: a slice would hold the whole text. */
function keyOf(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw;
  }
}
