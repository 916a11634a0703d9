/** The programs whose project-level files declare MCP servers. */
export type ClientId =
  | 'air'
  | 'amazon-q'
  | 'amp'
  | 'antigravity'
  | 'claude-code'
  | 'claude-desktop'
  | 'claude-plugin'
  | 'cline'
  | 'codex'
  | 'continue'
  | 'copilot'
  | 'crush'
  | 'cursor'
  | 'factory'
  | 'gemini'
  | 'junie'
  | 'kilocode'
  | 'kiro'
  | 'mcpb'
  | 'opencode'
  | 'qoder'
  | 'qwen'
  | 'registry'
  | 'roo'
  | 'trae'
  | 'vscode'
  | 'warp'
  | 'windsurf'
  | 'zed'
  | 'other';

/** What a config declares for a server on this machine, before expansion. */
export interface StdioLaunch {
  transport: 'stdio';
  command: string;
  args: string[];
  /** Variables that the entry sets, as written. */
  env: Map<string, string>;
  /** Variables that the entry passes on by name only (Codex `env_vars`). */
  passEnv: string[];
  /** Variables that are passed on when they have a value, and are no error when not (registry, not required). */
  optionalEnv?: string[];
  /** Absolute, or as written when it holds a reference; the config's root folder when absent. */
  cwd?: string;
  /** Dotenv file (VS Code, Cursor): absolute, or as written when it holds a reference. */
  envFile?: string;
}

/** What a config declares for a remote server, before expansion. */
export interface RemoteLaunch {
  /** `auto`: Streamable HTTP first, then HTTP+SSE. */
  transport: 'http' | 'sse' | 'auto';
  url: string;
  headers: Map<string, string>;
  /** Name of the variable with a bearer token (Codex `bearer_token_env_var`). */
  bearerTokenVariable?: string;
  /** Header name to variable name (Codex `env_http_headers`). */
  variableHeaders: Map<string, string>;
  /** Client-credentials OAuth, when the entry declares one. */
  oauth?: { clientId: string; clientSecret: string; scope?: string; issuer?: string };
}

export type Launch = StdioLaunch | RemoteLaunch;

/** One entry of one config file. */
export interface DeclaredServer {
  /** Key in the lock. */
  key: string;
  /** The entry's name in the config. */
  name: string;
  client: ClientId;
  /** Path of the config, relative to the working directory, `/`-separated. */
  config: string;
  /** Further configs that declare this very server. */
  alsoIn: string[];
  /** 1-based place of the entry in the config. */
  line: number;
  column: number;
  /** Absolute folder that the client would take for its workspace: relative commands run there. */
  root: string;
  /** Absolute folder of the plugin, extension or bundle that the config belongs to; `root` when absent. */
  base?: string;
  /** What the config says about the values that its references ask for (`inputs`, `user_config`, `variables`). */
  inputs?: Map<string, DeclaredInput>;
  launch: Launch;
  /** Set when the entry is switched off: listed as skipped, never started. */
  disabled?: string;
  /** Entries that start AgentGate's proxy in the place of this server. */
  gates?: GateEntry[];
  /** With `gates`: further entries of client's files that start it without the proxy. */
  besides?: { config: string; name: string }[];
}

/** An entry that stands for a server, by AgentGate's own proxy. */
export interface GateEntry {
  config: string;
  name: string;
  line: number;
  entry: DeclaredServer;
}

/** A value that a config asks its user for. */
export interface DeclaredInput {
  /** Used when nothing else gives a value; several for a list (`user_config` with `multiple`). */
  default?: string[];
  required: boolean;
  secret: boolean;
}

/** A server's launch after expansion, ready to start. Holds secrets: never written, logged or hashed. */
export interface ResolvedStdio {
  transport: 'stdio';
  command: string;
  args: string[];
  env: Map<string, string>;
  cwd: string;
}

export interface ResolvedRemote {
  transport: 'http' | 'sse' | 'auto';
  url: string;
  headers: Map<string, string>;
  oauth?: { clientId: string; clientSecret: string; scope?: string; issuer?: string };
}

export interface ResolvedServer {
  declared: DeclaredServer;
  launch: ResolvedStdio | ResolvedRemote;
  /** Names of the variables that the launch references and that had a value. */
  variables: string[];
  /** Values that came from the environment: to be redacted wherever text is shown. */
  secrets: string[];
  /** The same, each to the name of the variable, header, option or file that held it. */
  secretNames: ReadonlyMap<string, string>;
}

/** What the config declares, before expansion, secrets redacted and host paths masked. */
export interface LaunchRecord {
  command?: string;
  args?: string[];
  cwd?: string;
  url?: string;
  /** Header names. */
  headers?: string[];
  /** Names of the variables that had a value. */
  env?: string[];
}

/** Where a server comes from, `DESIGN.md` §3.1. */
export interface Source {
  type: 'npm' | 'pypi' | 'local' | 'remote';
  /** For `local`: what it really is, when it is none of the four (`oci`, `git`, `url`, `nuget`, `mcpb`). */
  kind?: 'oci' | 'git' | 'url' | 'nuget' | 'mcpb' | 'opaque-shell';
  package?: string;
  /** The release that runs or is pinned. Absent when not known. */
  version?: string;
  /** The declared spec when it floats (`latest`, `^1.2.0`, or `""` for a bare name). */
  requested?: string;
  /** Subresource integrity of the package that ran (`sha512-…`). */
  integrity?: string;
  /** For `remote`: without user-info, query and fragment. */
  url?: string;
  /** For `local`: the path, relative to the working directory when inside it. */
  path?: string;
  /** True for a tag that can be moved (`oci`). */
  mutable?: boolean;
  /** The bridge that connects to a remote server (`mcp-remote` and its like): it floats too. */
  via?: { type: 'npm' | 'pypi'; package: string; version?: string; requested?: string };
}

/** A severity of a change or a finding, worst first. */
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export type FailOn = 'any' | 'critical' | 'high' | 'medium' | 'low' | 'never';

/** A reviewed mask: the matched text is replaced before hashing. */
export interface VolatileRule {
  /** `*` for the server's instructions or any capability. */
  tool?: string;
  prompt?: string;
  resource?: string;
  resourceTemplate?: string;
  instructions?: boolean;
  /** JSON pointer into the definition. */
  field: string;
  pattern: RegExp;
  reason: string;
  /** In the policy's file, from 1. */
  line?: number;
}

export interface ServerPolicy {
  env: Map<string, string>;
  /** Seconds, from start to the last list page. */
  timeout?: number;
  /** Seconds that fetching its package may take. */
  installTimeout?: number;
  passEnv: string[];
  resources: 'pin' | 'ignore';
  home: 'private' | 'inherit';
  network: 'inherit' | 'none';
  volatile: VolatileRule[];
  skip?: string;
}

export interface Suppression {
  rule: string;
  server?: string;
  name?: string;
  reason: string;
  /** ISO date, last day on which it counts. */
  expires?: string;
  line: number;
}

/** `agentgate.yml`, checked. */
export interface Policy {
  /** Relative to the working directory; undefined when there is no policy file. */
  file?: string;
  servers: Map<string, ServerPolicy>;
  /** 1-based lines of their keys. */
  serverLines?: ReadonlyMap<string, number>;
  failOn?: FailOn;
  suppress: Suppression[];
  /** The `gate:` section as plain data, not validated here: the runtime gate does. */
  gate?: unknown;
  /** 1-based line of `gate:`. */
  gateLine?: number;
}

/** What is wrong with a config, as data: one broken entry never hides the others. */
export interface ConfigProblem {
  code: string;
  message: string;
  /** Relative to the working directory. */
  file: string;
  line?: number;
  column?: number;
  /** The entry's name, when the problem is of one entry: that server is declared, but was not read. */
  server?: string;
}

/** Something worth saying about a config that is no error. */
export interface ConfigNote {
  code: string;
  message: string;
  file: string;
  line?: number;
  server?: string;
}

/** One config, parsed. */
export interface ParsedConfig {
  servers: DeclaredServer[];
  errors: ConfigProblem[];
  notes: ConfigNote[];
  /** Further config files that this one names (`plugin.json`), relative to the working directory. */
  references: { file: string; line: number; column: number }[];
  /** The plugin folder that the references belong to, relative to the working directory. */
  base?: string;
}

/** Every config of a working directory. */
export interface LoadedConfigs {
  servers: DeclaredServer[];
  errors: ConfigProblem[];
  notes: ConfigNote[];
  /** The files that were read, in order. */
  files: string[];
  /** With those that other programs use too and that declare nothing. */
  looked: string[];
}
