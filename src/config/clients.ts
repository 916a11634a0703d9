import type { Strictness } from './parse-json.ts';
import type { ClientId } from './types.ts';

/** How one client reads what is in a config. Sources: the clients' documentation and code. */
export interface ClientTraits {
  /** Its name in messages. */
  label: string;
  strictness: Strictness;
  /** What it takes a `url` without a `type` for; `auto` tries Streamable HTTP, then HTTP+SSE. */
  untypedUrl: 'http' | 'sse' | 'auto';
  /** It refuses a `url` without a `type`. */
  typeRequired?: true;
  /** The keys that switch an entry off. */
  switches: ('disabled' | 'enabled')[];
}

const JSON_CLIENT: Omit<ClientTraits, 'label'> = { strictness: 'strict', untypedUrl: 'auto', switches: [] };

const TRAITS: Record<ClientId, ClientTraits> = {
  air: { ...JSON_CLIENT, label: 'JetBrains Air' },
  'amazon-q': { ...JSON_CLIENT, label: 'Amazon Q', switches: ['disabled'] },
  amp: { ...JSON_CLIENT, label: 'Amp', strictness: 'lenient', switches: ['disabled'] },
  antigravity: { ...JSON_CLIENT, label: 'Antigravity', switches: ['disabled'] },
  'claude-code': { ...JSON_CLIENT, label: 'Claude Code', typeRequired: true },
  'claude-desktop': { ...JSON_CLIENT, label: 'Claude Desktop' },
  'claude-plugin': { ...JSON_CLIENT, label: 'Claude Code', typeRequired: true },
  cline: { ...JSON_CLIENT, label: 'Cline', untypedUrl: 'sse', switches: ['disabled'] },
  codex: { ...JSON_CLIENT, label: 'Codex', untypedUrl: 'http', switches: ['enabled'] },
  continue: { ...JSON_CLIENT, label: 'Continue' },
  copilot: { ...JSON_CLIENT, label: 'Copilot' },
  crush: { ...JSON_CLIENT, label: 'Crush', switches: ['disabled'] },
  cursor: { ...JSON_CLIENT, label: 'Cursor', strictness: 'lenient' },
  factory: { ...JSON_CLIENT, label: 'Factory', switches: ['disabled'] },
  gemini: { ...JSON_CLIENT, label: 'Gemini CLI', strictness: 'comments', untypedUrl: 'http' },
  junie: { ...JSON_CLIENT, label: 'Junie' },
  kilocode: { ...JSON_CLIENT, label: 'Kilo Code', switches: ['disabled'] },
  kiro: { ...JSON_CLIENT, label: 'Kiro', switches: ['disabled'] },
  mcpb: { ...JSON_CLIENT, label: 'MCPB' },
  opencode: { ...JSON_CLIENT, label: 'opencode', strictness: 'lenient', switches: ['enabled'] },
  other: { ...JSON_CLIENT, label: 'the client', strictness: 'lenient', switches: ['disabled', 'enabled'] },
  qoder: { ...JSON_CLIENT, label: 'Qoder' },
  qwen: { ...JSON_CLIENT, label: 'Qwen Code', strictness: 'comments', untypedUrl: 'http' },
  registry: { ...JSON_CLIENT, label: 'the MCP registry' },
  roo: { ...JSON_CLIENT, label: 'Roo Code', typeRequired: true, switches: ['disabled'] },
  trae: { ...JSON_CLIENT, label: 'Trae' },
  vscode: { ...JSON_CLIENT, label: 'VS Code', strictness: 'lenient' },
  warp: { ...JSON_CLIENT, label: 'Warp' },
  windsurf: { ...JSON_CLIENT, label: 'Windsurf', switches: ['disabled'] },
  zed: { ...JSON_CLIENT, label: 'Zed', strictness: 'lenient', untypedUrl: 'http', switches: ['enabled'] },
};

/** The traits of a client. */
export function traitsOf(client: ClientId): ClientTraits {
  return TRAITS[client];
}
