import { literalPattern } from '../util/pattern.ts';
import type { ClientId } from './types.ts';

export type ConfigFormat = 'json' | 'yaml' | 'toml' | 'front-matter';

/** A project-level config of a client. */
export interface KnownFile {
  client: ClientId;
  /** Relative to the workspace; `*` is any one segment or part of it. The workspace is as many folders up. */
  path: string;
  format: ConfigFormat;
  /** Where the servers are: member names from the root. */
  roots: string[][];
  /** Other programs use this file name or file too: without servers in it, or broken, it is not ours. */
  shared?: true;
  /** Folders up from the file to the plugin, extension or bundle that it describes. */
  baseUp?: number;
}

const MCP_SERVERS = [['mcpServers']];

const json = (client: ClientId, path: string, more: Partial<KnownFile> = {}): KnownFile => ({
  client,
  path,
  format: 'json',
  roots: MCP_SERVERS,
  ...more,
});

/**
 * The known files, in the order in which they are read: of one server in several files, the first is named.
 * A path is matched by its end, so the more specific ones come before the ones that end alike.
 */
export const KNOWN_FILES: readonly KnownFile[] = [
  json('warp', '.warp/.mcp.json'),
  json('antigravity', '.agents/.mcp.json'),
  json('claude-code', '.mcp.json'),
  json('claude-plugin', '.claude/skills/*/.claude-plugin/plugin.json', { baseUp: 1, shared: true }),
  json('claude-plugin', '.claude-plugin/plugin.json', { baseUp: 1, shared: true }),
  json('claude-plugin', '.claude-plugin/marketplace.json', { baseUp: 1, shared: true, roots: [] }),
  json('cursor', '.cursor/mcp.json'),
  json('vscode', '.vscode/mcp.json', { roots: [['servers']] }),
  json('vscode', '.vscode/settings.json', { roots: [['mcp', 'servers']], shared: true }),
  json('vscode', '.devcontainer/devcontainer.json', {
    roots: [['customizations', 'vscode', 'mcp', 'servers']],
    shared: true,
  }),
  json('vscode', '.devcontainer.json', {
    roots: [['customizations', 'vscode', 'mcp', 'servers']],
    shared: true,
  }),
  json('copilot', '.github/mcp.json'),
  {
    client: 'copilot',
    path: '.github/agents/*.md',
    format: 'front-matter',
    roots: [['mcp-servers']],
    shared: true,
  },
  json('gemini', '.gemini/settings.json', { shared: true }),
  json('gemini', 'gemini-extension.json', { baseUp: 0, shared: true }),
  json('qwen', '.qwen/settings.json', { shared: true }),
  { client: 'codex', path: '.codex/config.toml', format: 'toml', roots: [['mcp_servers']], shared: true },
  json('antigravity', '.agents/mcp_config.json'),
  json('kiro', '.kiro/settings/mcp.json'),
  json('amazon-q', '.amazonq/mcp.json'),
  json('amazon-q', '.amazonq/default.json', { shared: true }),
  json('amazon-q', '.amazonq/cli-agents/*.json', { shared: true }),
  json('zed', '.zed/settings.json', { roots: [['context_servers']], shared: true }),
  json('opencode', '.opencode/opencode.json', { roots: [['mcp']], shared: true }),
  json('opencode', '.opencode/opencode.jsonc', { roots: [['mcp']], shared: true }),
  json('opencode', 'opencode.json', { roots: [['mcp']], shared: true }),
  json('opencode', 'opencode.jsonc', { roots: [['mcp']], shared: true }),
  json('roo', '.roo/mcp.json'),
  json('kilocode', '.kilocode/mcp.json'),
  { client: 'continue', path: '.continue/mcpServers/*.yaml', format: 'yaml', roots: MCP_SERVERS },
  { client: 'continue', path: '.continue/mcpServers/*.yml', format: 'yaml', roots: MCP_SERVERS },
  json('continue', '.continue/mcpServers/*.json'),
  { client: 'continue', path: '.continue/config.yaml', format: 'yaml', roots: MCP_SERVERS, shared: true },
  json('junie', '.junie/mcp/mcp.json'),
  json('air', '.air/mcp.json'),
  json('trae', '.trae/mcp.json'),
  json('factory', '.factory/mcp.json'),
  json('qoder', '.qoder/settings.json', { shared: true }),
  json('qoder', '.qoder/settings.local.json', { shared: true }),
  json('amp', '.amp/settings.json', { roots: [['amp.mcpServers'], ['amp', 'mcpServers']], shared: true }),
  json('crush', '.crush.json', { roots: [['mcp']], shared: true }),
  json('crush', 'crush.json', { roots: [['mcp']], shared: true }),
  json('registry', 'server.json', { roots: [], shared: true }),
  json('mcpb', 'manifest.json', { roots: [], baseUp: 0, shared: true }),
  json('other', 'mcp.json'),
];

/** Files of the user's own profile that people export into a repository, by file name. */
const PROFILE_FILES: readonly KnownFile[] = [
  json('claude-desktop', 'claude_desktop_config.json'),
  json('cline', 'cline_mcp_settings.json'),
  json('copilot', 'mcp-config.json'),
  json('windsurf', 'mcp_config.json'),
  { client: 'codex', path: 'config.toml', format: 'toml', roots: [['mcp_servers']] },
];

/** What is known of a file by its path (relative, `/`-separated), and its workspace folder (`''` for the root). */
export function knownFile(path: string): { known: KnownFile; workspace: string } {
  for (const known of [...KNOWN_FILES, ...PROFILE_FILES]) {
    if (!pattern(known.path).test(path)) continue;
    return { known, workspace: folderUp(path, known.path.split('/').length) };
  }
  const known: KnownFile = { client: 'other', path, format: formatOf(path), roots: [] };
  return { known, workspace: folderUp(path, 1) };
}

function pattern(path: string): RegExp {
  const source = path.split('*').map(literalPattern).join('[^/]*');
  return new RegExp(`(?:^|/)${source}$`);
}

function formatOf(path: string): ConfigFormat {
  if (path.endsWith('.toml')) return 'toml';
  if (/\.ya?ml$/.test(path)) return 'yaml';
  return path.endsWith('.md') ? 'front-matter' : 'json';
}

/** The folder that many segments above the file's own name; `''` for the top. */
export function folderUp(path: string, segments: number): string {
  return path.split('/').slice(0, -segments).join('/');
}

/** Where in a folder clients look for their servers, there or not; relative, without the patterns. */
export function clientFiles(): string[] {
  return KNOWN_FILES.filter(({ path, roots }) => roots.length > 0 && !path.includes('*')).map(
    ({ path }) => path,
  );
}
