import type { ClientId } from './types.ts';

/** A place that a client knows by itself. */
export type KnownPlace =
  | 'workspace'
  | 'workspace-name'
  | 'home'
  | 'base'
  | 'separator'
  | 'desktop'
  | 'documents'
  | 'downloads';

/** A piece of a text that a client would replace. `text` is as written. */
export type Reference =
  | { kind: 'variable'; text: string; name: string; fallback?: Part[] }
  | { kind: 'input'; text: string; id: string }
  | { kind: 'place'; text: string; place: KnownPlace }
  | { kind: 'file'; text: string; path: string }
  /** Looks like a reference, but this client does not replace it. */
  | { kind: 'foreign'; text: string };

export type Part = { kind: 'literal'; text: string } | Reference;

/** Where in an entry a text stands; some clients expand more there than elsewhere. */
export type Position = 'command' | 'args' | 'env' | 'url' | 'headers' | 'cwd';

type Inner = (inner: string, position: Position) => Omit<Reference, 'text'> | undefined;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `VAR` and `VAR:-default` (Claude Code, Copilot, Gemini CLI). */
const shellStyle: Inner = (inner, position) => {
  const at = inner.indexOf(':-');
  const name = at < 0 ? inner : inner.slice(0, at);
  if (!NAME.test(name)) return undefined;
  if (at < 0) return { kind: 'variable', name };
  const fallback = inner.slice(at + 2);
  if (!fallback.includes('${'))
    return { kind: 'variable', name, fallback: [{ kind: 'literal', text: fallback }] };
  // Claude Code nests references in headers only.
  if (position !== 'headers') return undefined;
  return { kind: 'variable', name, fallback: splitBraces(fallback, '${', shellStyle, position) };
};

const envStyle: Inner = (inner) => {
  const name = inner.startsWith('env:') ? inner.slice(4) : '';
  return name === '' ? undefined : { kind: 'variable', name };
};

const places = (table: Record<string, KnownPlace>): Inner => {
  const map = new Map(Object.entries(table));
  return (inner) => {
    const place = map.get(inner);
    return place && { kind: 'place', place };
  };
};

const firstOf =
  (...styles: Inner[]): Inner =>
  (inner, position) => {
    for (const style of styles) {
      const found = style(inner, position);
      if (found) return found;
    }
    return undefined;
  };

const EDITOR = places({
  workspaceFolder: 'workspace',
  workspaceRoot: 'workspace',
  cwd: 'workspace',
  workspaceFolderBasename: 'workspace-name',
  userHome: 'home',
  pathSeparator: 'separator',
  '/': 'separator',
});

const userConfig: Inner = (inner) =>
  inner.startsWith('user_config.') ? { kind: 'input', id: inner.slice('user_config.'.length) } : undefined;

const claude = firstOf(
  places({ CLAUDE_PROJECT_DIR: 'workspace', CLAUDE_PLUGIN_ROOT: 'base' }),
  userConfig,
  shellStyle,
);
const gemini = firstOf(
  places({ extensionPath: 'base', workspacePath: 'workspace', '/': 'separator', pathSeparator: 'separator' }),
  shellStyle,
);
const vscode: Inner = firstOf(envStyle, EDITOR, (inner) => {
  if (inner.startsWith('input:')) return { kind: 'input', id: inner.slice(6) };
  return inner.startsWith('workspaceFolder:') ? { kind: 'place', place: 'workspace' } : undefined;
});
const bundle = firstOf(
  userConfig,
  places({
    __dirname: 'base',
    HOME: 'home',
    DESKTOP: 'desktop',
    DOCUMENTS: 'documents',
    DOWNLOADS: 'downloads',
    '/': 'separator',
    pathSeparator: 'separator',
  }),
);
const nothing: Inner = () => undefined;
/** For clients whose rules are not documented: both common forms; an unset variable is an error anyway. */
const either = firstOf(envStyle, EDITOR, shellStyle);

const BRACED: Record<ClientId, Inner> = {
  air: either,
  'amazon-q': either,
  amp: shellStyle,
  antigravity: either,
  'claude-code': claude,
  'claude-desktop': nothing,
  'claude-plugin': claude,
  cline: envStyle,
  codex: nothing,
  continue: nothing,
  copilot: shellStyle,
  crush: shellStyle,
  cursor: firstOf(envStyle, EDITOR),
  factory: either,
  gemini,
  junie: either,
  kilocode: firstOf(envStyle, EDITOR),
  kiro: either,
  mcpb: bundle,
  opencode: nothing,
  other: either,
  qoder: either,
  qwen: gemini,
  registry: nothing,
  roo: firstOf(envStyle, places({ workspaceFolder: 'workspace' })),
  trae: either,
  vscode,
  warp: either,
  windsurf: envStyle,
  zed: nothing,
};

/** What to write instead, for the message about a foreign reference; `NAME` stands for the name. */
export function ownSyntax(client: ClientId): string | undefined {
  const inner = BRACED[client];
  if (inner('NAME', 'args')) return '${NAME}';
  if (inner('env:NAME', 'args')) return '${env:NAME}';
  if (client === 'opencode') return '{env:NAME}';
  if (client === 'continue') return '${{ secrets.NAME }}';
  return client === 'registry' ? '{NAME}' : undefined;
}

/** Splits a text at the references that this client would replace there, and at what only looks like one. */
export function splitReferences(text: string, client: ClientId, position: Position): Part[] {
  if (client === 'copilot' && position === 'env' && /^COPILOT_MCP_\w+$/.test(text)) {
    return [{ kind: 'variable', text, name: text }];
  }
  if (client === 'continue') return split(text, /\$\{\{\s*(.*?)\s*\}\}|\$\{[^}]*\}/g, continueReference);
  if (client === 'opencode') return split(text, /\{(env|file):([^}]+)\}|\$\{[^}]*\}/g, opencodeReference);
  if (client === 'registry') return split(text, /\$?\{([A-Za-z_][\w.-]*)\}/g, registryReference);
  const parts = splitBraces(text, '${', BRACED[client], position);
  if (client === 'gemini' || client === 'qwen' || client === 'crush')
    return splitBare(parts, /\$([A-Za-z_]\w*)/g);
  return client === 'copilot' ? splitBare(parts, /\$(COPILOT_MCP_\w+)/g) : parts;
}

function continueReference(match: RegExpExecArray): Reference {
  const [text, inner] = match;
  const [, from, name] = /^(secrets|inputs)\.([\w.-]+)$/.exec(inner ?? '') ?? [];
  if (name === undefined) return { kind: 'foreign', text };
  return from === 'inputs' ? { kind: 'input', text, id: name } : { kind: 'variable', text, name };
}

function opencodeReference([text, kind, value]: RegExpExecArray): Reference {
  if (kind === undefined || value === undefined) return { kind: 'foreign', text };
  return kind === 'env' ? { kind: 'variable', text, name: value } : { kind: 'file', text, path: value };
}

function registryReference([text, id]: RegExpExecArray): Reference {
  return text.startsWith('$') || id === undefined ? { kind: 'foreign', text } : { kind: 'input', text, id };
}

function split(text: string, pattern: RegExp, reference: (match: RegExpExecArray) => Reference): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ kind: 'literal', text: text.slice(end, match.index) });
    parts.push(reference(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'literal', text: text.slice(end) });
  return parts;
}

function splitBare(parts: Part[], pattern: RegExp): Part[] {
  return parts.flatMap((part) =>
    part.kind === 'literal'
      ? split(part.text, pattern, ([text, name]) => ({ kind: 'variable', text, name: name ?? '' }))
      : [part],
  );
}

/** Nesting beyond this is no config. */
const MAX_NESTING = 5;

/** Splits at `${…}` with braces balanced, so that a nested reference is one foreign piece and not half a literal. */
function splitBraces(text: string, open: string, inner: Inner, position: Position): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, end)) {
    const close = closingBrace(text, start + open.length);
    if (close < 0) break;
    if (start > end) parts.push({ kind: 'literal', text: text.slice(end, start) });
    const piece = text.slice(start, close + 1);
    const body = text.slice(start + open.length, close);
    const tooDeep = body.split(open).length > MAX_NESTING;
    const found = tooDeep ? undefined : inner(body, position);
    parts.push(found ? ({ ...found, text: piece } as Reference) : { kind: 'foreign', text: piece });
    end = close + 1;
  }
  if (end < text.length) parts.push({ kind: 'literal', text: text.slice(end) });
  return parts;
}

function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text.startsWith('${', i)) depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return -1;
}
