import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readConfigFile } from '../config/config-files.ts';
import { type ConfigNode, member, plain } from '../config/config-node.ts';
import { parseYaml } from '../config/parse-yaml.ts';
import { loadPolicy, NO_POLICY } from '../config/policy.ts';
import { parsePolicy } from '../config/policy-parse.ts';
import { PolicyReader } from '../config/policy-reader.ts';
import type { Policy } from '../config/types.ts';
import type { Json } from '../util/json.ts';
import { isOutside } from '../util/paths.ts';
import { sha256Jcs } from './ledger/entry.ts';
import { SQL_DIALECTS, type SqlDialect, type SqlKeys, sqlDialect } from './sql/types.ts';

export type Tier = 0 | 1 | 2;

const GIT_OPERATIONS = ['commit', 'branch', 'push', 'pr'] as const;
export type GitOperation = (typeof GIT_OPERATIONS)[number];

/** How the tier of one tool's calls is found. */
export type ToolRule =
  | { kind: 'tier'; tier: Tier }
  /** By inspecting the statement in the argument of that name. */
  | { kind: 'sql'; argument: string; dialect: SqlDialect; keys?: SqlKeys }
  | { kind: 'git'; operation: GitOperation };

/** What a server may ask a client for in the middle of a call (MCP 2026-07-28). */
const INPUT_KINDS = ['elicitation', 'sampling', 'roots'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

export type ApprovalAlgorithm = 'hmac-sha256' | 'ed25519';

/** The `gate:` section of `agentgate.yml`, checked, with its defaults. */
export interface GatePolicy {
  /** By server key, then tool name. */
  tiers: ReadonlyMap<string, ReadonlyMap<string, ToolRule>>;
  /** Of a tool that is not listed. */
  defaultTier: Tier;
  approvals: {
    ttlMs: number;
    algorithm: ApprovalAlgorithm;
    /** Absolute. For Ed25519 the private key; the public one lies beside it as `<key-file>.pub`. */
    keyFile: string;
  };
  /** What a server's requests for input may be for, by server key; nothing for one that is not listed. */
  inputRequests: ReadonlyMap<string, ReadonlySet<InputKind>>;
  /** Absolute. */
  ledger: string;
  /** True: members that a schema does not name are refused, where it does not say otherwise itself. */
  closed: boolean;
}

export interface LoadedGatePolicy {
  /** The whole policy file, for the server's own section. */
  policy: Policy;
  gate: GatePolicy;
  /** SHA-256 of the canonical JSON of the whole policy file's content; of `null` when there is none. */
  sha256: string;
}

const DEFAULT_KEY_FILE = '~/.config/agentgate/operator.key';
const DEFAULT_LEDGER = '.agentgate/ledger.jsonl';
const DEFAULT_TTL_MS = 30 * 60_000;
/** A token that lives longer than a working day is a standing permission. */
const MAX_TTL_MS = 12 * 3_600_000;

/**
 * Reads and checks the policy of a working directory with its `gate:` section. Throws `E_POLICY` with line and column for
 * the first thing wrong, and as `loadPolicy` does.
 */
export async function loadGatePolicy(cwd: string, home: string = homedir()): Promise<LoadedGatePolicy> {
  const { file } = await loadPolicy(cwd);
  if (file === undefined) return { policy: NO_POLICY, gate: defaults(cwd, home), sha256: sha256Jcs(null) };
  // Read once more, and everything from that one text, so that no write in between can mix two policies.
  const text = await readConfigFile(cwd, file);
  const policy = parsePolicy(text, file);
  const tree = parseYaml(text, file);
  const section = member(tree, 'gate')?.node;
  const gate =
    section === undefined ? defaults(cwd, home) : readGate(section, new PolicyReader(file), cwd, home);
  return { policy, gate, sha256: sha256Jcs(plain(tree) as Json) };
}

function defaults(cwd: string, home: string): GatePolicy {
  return {
    tiers: new Map(),
    defaultTier: 2,
    inputRequests: new Map(),
    approvals: {
      ttlMs: DEFAULT_TTL_MS,
      algorithm: 'hmac-sha256',
      keyFile: expandHome(DEFAULT_KEY_FILE, home),
    },
    ledger: resolve(cwd, DEFAULT_LEDGER),
    closed: true,
  };
}

function readGate(node: ConfigNode, reader: PolicyReader, cwd: string, home: string): GatePolicy {
  const gate = defaults(cwd, home);
  const members = reader.members(node, '"gate"', [
    'tiers',
    'default-tier',
    'approvals',
    'input-requests',
    'ledger',
    'arguments',
  ]);
  const tiers = members.get('tiers');
  if (tiers !== undefined) gate.tiers = readTiers(tiers, reader);
  const defaultTier = members.get('default-tier');
  if (defaultTier !== undefined) gate.defaultTier = readTier(defaultTier, '"gate": "default-tier"', reader);
  const approvals = members.get('approvals');
  if (approvals !== undefined) readApprovals(approvals, gate, reader, home);
  const inputs = members.get('input-requests');
  if (inputs !== undefined) gate.inputRequests = readInputRequests(inputs, reader);
  const ledger = members.get('ledger');
  if (ledger !== undefined) {
    gate.ledger = resolve(cwd, pathOf(ledger, '"gate": "ledger"', reader, home));
    // The folder is kept from the server as a whole: what lies in it is made while a server runs.
    if (!isOutside(dirname(gate.ledger), cwd))
      reader.fail(ledger, '"gate": "ledger" needs a folder of its own, such as .agentgate/ledger.jsonl.');
  }
  const args = members.get('arguments');
  if (args !== undefined)
    gate.closed = reader.oneOf(args, '"gate": "arguments"', ['closed', 'as-declared']) === 'closed';
  return gate;
}

function readTiers(node: ConfigNode, reader: PolicyReader): Map<string, Map<string, ToolRule>> {
  const tiers = new Map<string, Map<string, ToolRule>>();
  for (const [server, tools] of reader.members(node, '"gate": "tiers"')) {
    const what = `"gate": "tiers", server ${JSON.stringify(server)}`;
    const rules = new Map<string, ToolRule>();
    for (const [tool, rule] of reader.members(tools, what))
      rules.set(tool, readRule(rule, `${what}, tool ${JSON.stringify(tool)}`, reader));
    tiers.set(server, rules);
  }
  return tiers;
}

function readInputRequests(node: ConfigNode, reader: PolicyReader): Map<string, Set<InputKind>> {
  const allowed = new Map<string, Set<InputKind>>();
  for (const [server, kinds] of reader.members(node, '"gate": "input-requests"')) {
    const what = `"gate": "input-requests", server ${JSON.stringify(server)}`;
    allowed.set(
      server,
      new Set(reader.items(kinds, what).map((kind) => reader.oneOf(kind, what, INPUT_KINDS))),
    );
  }
  return allowed;
}

function readRule(node: ConfigNode, what: string, reader: PolicyReader): ToolRule {
  if (node.kind !== 'object') return { kind: 'tier', tier: readTier(node, what, reader) };
  const members = reader.members(node, what, ['sql', 'dialect', 'keys', 'git']);
  const git = members.get('git');
  if (git !== undefined) {
    if (members.size > 1) reader.fail(node, `${what}: "git" stands alone.`);
    return { kind: 'git', operation: reader.oneOf(git, `${what}: "git"`, GIT_OPERATIONS) };
  }
  const argument = reader.text(reader.needed(members, 'sql', node, what), `${what}: "sql"`);
  const named = reader.needed(members, 'dialect', node, what);
  const dialect = sqlDialect(reader.text(named, `${what}: "dialect"`));
  if (dialect === undefined)
    return reader.fail(named, `${what}: "dialect" must be one of ${SQL_DIALECTS.join(', ')}.`);
  const keys = members.get('keys');
  if (keys === undefined) return { kind: 'sql', argument, dialect };
  const tables = new Map<string, string[]>();
  for (const [table, columns] of reader.members(keys, `${what}: "keys"`)) {
    const at = `${what}: "keys", table ${JSON.stringify(table)}`;
    tables.set(
      table.toLowerCase(),
      reader.items(columns, at).map((item) => reader.text(item, at).toLowerCase()),
    );
  }
  return { kind: 'sql', argument, dialect, keys: tables };
}

function readTier(node: ConfigNode, what: string, reader: PolicyReader): Tier {
  const value = node.kind === 'scalar' ? node.value : undefined;
  if (value === 0 || value === 1 || value === 2) return value;
  return reader.fail(node, `${what} must be 0 (forwarded), 1 (checkpoint first) or 2 (held).`);
}

function readApprovals(node: ConfigNode, gate: GatePolicy, reader: PolicyReader, home: string): void {
  const what = '"gate": "approvals"';
  const members = reader.members(node, what, ['ttl', 'algorithm', 'key-file']);
  const ttl = members.get('ttl');
  if (ttl !== undefined) gate.approvals.ttlMs = readDuration(ttl, `${what}: "ttl"`, reader);
  const algorithm = members.get('algorithm');
  if (algorithm !== undefined)
    gate.approvals.algorithm = reader.oneOf(algorithm, `${what}: "algorithm"`, ['hmac-sha256', 'ed25519']);
  const keyFile = members.get('key-file');
  if (keyFile === undefined) return;
  const path = pathOf(keyFile, `${what}: "key-file"`, reader, home);
  if (!isAbsolute(path))
    reader.fail(
      keyFile,
      `${what}: "key-file" must be absolute or begin with "~/": the key lies outside of the project.`,
    );
  gate.approvals.keyFile = path;
}

function readDuration(node: ConfigNode, what: string, reader: PolicyReader): number {
  const text = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  const [, digits, unit] = /^([1-9]\d{0,4})(s|m|h)$/.exec(text) ?? [];
  const factor = unit === 's' ? 1_000 : unit === 'm' ? 60_000 : 3_600_000;
  const ms = digits === undefined ? 0 : Number(digits) * factor;
  if (ms > 0 && ms <= MAX_TTL_MS) return ms;
  return reader.fail(node, `${what} must be a time such as 30m, up to ${MAX_TTL_MS / 3_600_000}h.`);
}

function pathOf(node: ConfigNode, what: string, reader: PolicyReader, home: string): string {
  const path = reader.text(node, what);
  if (path.includes('\0')) reader.fail(node, `${what} must be a path.`);
  return expandHome(path, home);
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/** The rule of a tool; the default tier when the policy does not list it. Annotations are never asked. */
export function toolRule(
  gate: GatePolicy,
  server: string,
  tool: string,
): { rule: ToolRule; listed: boolean } {
  const rule = gate.tiers.get(server)?.get(tool);
  return rule === undefined
    ? { rule: { kind: 'tier', tier: gate.defaultTier }, listed: false }
    : { rule, listed: true };
}
