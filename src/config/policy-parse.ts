import { AgentGateError } from '../util/errors.ts';
import { type ConfigNode, member, plain } from './config-node.ts';
import { parseYaml } from './parse-yaml.ts';
import { PolicyReader } from './policy-reader.ts';
import type { FailOn, Policy, ServerPolicy, Suppression, VolatileRule } from './types.ts';

/** A longer pattern is no mask that a reviewer can read. How long one may run is bounded where it is used. */
const MAX_PATTERN = 500;
/** Seconds: a day. */
const MAX_TIMEOUT = 86_400;

const FAIL_ON: readonly FailOn[] = ['any', 'critical', 'high', 'medium', 'low', 'never'];
const TARGETS = ['tool', 'prompt', 'resource', 'resourceTemplate'] as const;

/**
 * Parses and checks `agentgate.yml`. Throws `E_POLICY` for the first thing wrong, with line and column: unknown keys,
 * wrong values, duplicate keys, bad dates, patterns that do not compile. `gate:` is handed on as it is.
 */
export function parsePolicy(text: string, file: string): Policy {
  const reader = new PolicyReader(file);
  let tree: ConfigNode;
  try {
    tree = parseYaml(text, file);
  } catch (error) {
    if (!(error instanceof AgentGateError)) throw error;
    throw new AgentGateError('E_POLICY', error.message, error.place, { cause: error });
  }
  const members = reader.members(tree, file, ['version', 'servers', 'fail-on', 'suppress', 'gate']);
  const version = members.get('version');
  if (!version) reader.fail(tree, `${file} has no "version"; start it with "version: 1".`);
  else if (version.kind !== 'scalar' || version.value !== 1) {
    reader.fail(version, `"version" must be 1; this release reads no other.`);
  }
  const policy: Policy = { file, servers: new Map(), suppress: [] };
  const failOn = members.get('fail-on');
  if (failOn) policy.failOn = reader.oneOf(failOn, '"fail-on"', FAIL_ON);
  const servers = members.get('servers');
  if (servers) {
    const lines = new Map<string, number>();
    for (const [key, node] of reader.members(servers, '"servers"')) {
      policy.servers.set(key, readServer(node, key, reader));
      lines.set(key, member(servers, key)?.place.line ?? servers.place.line);
    }
    policy.serverLines = lines;
  }
  const suppress = members.get('suppress');
  if (suppress)
    policy.suppress = reader.items(suppress, '"suppress"').map((node) => readSuppression(node, reader));
  const gate = members.get('gate');
  if (gate) {
    policy.gate = plain(gate);
    policy.gateLine = member(tree, 'gate')?.place.line;
  }
  return policy;
}

const SERVER_KEYS = [
  'env',
  'timeout',
  'install-timeout',
  'pass-env',
  'resources',
  'home',
  'network',
  'volatile',
  'skip',
];

function readServer(node: ConfigNode, key: string, reader: PolicyReader): ServerPolicy {
  const what = `Server ${JSON.stringify(key)}`;
  const members = reader.members(node, what, SERVER_KEYS);
  const server: ServerPolicy = {
    env: new Map(),
    passEnv: [],
    resources: 'pin',
    home: 'private',
    network: 'inherit',
    volatile: [],
  };
  for (const [name, value] of members) {
    const at = `${what}: "${name}"`;
    if (name === 'env') {
      for (const [variable, text] of reader.members(value, at)) {
        server.env.set(
          reader.variable(variable, text, at),
          reader.scalarText(text, `${at}, ${JSON.stringify(variable)},`),
        );
      }
    } else if (name === 'timeout') server.timeout = reader.seconds(value, at, MAX_TIMEOUT);
    else if (name === 'install-timeout') server.installTimeout = reader.seconds(value, at, MAX_TIMEOUT);
    else if (name === 'pass-env') {
      server.passEnv = reader
        .items(value, at)
        .map((item) => reader.variable(reader.text(item, at), item, at));
    } else if (name === 'resources') server.resources = reader.oneOf(value, at, ['pin', 'ignore']);
    else if (name === 'home') server.home = reader.oneOf(value, at, ['private', 'inherit']);
    else if (name === 'network') server.network = reader.oneOf(value, at, ['inherit', 'none']);
    else if (name === 'skip') server.skip = reader.reason(value, at);
    else server.volatile = reader.items(value, at).map((item) => readVolatile(item, what, reader));
  }
  return server;
}

function readVolatile(node: ConfigNode, server: string, reader: PolicyReader): VolatileRule {
  const what = `${server}: an entry of "volatile"`;
  const members = reader.members(node, what, [...TARGETS, 'instructions', 'field', 'pattern', 'reason']);
  const field = reader.needed(members, 'field', node, what);
  const pattern = reader.needed(members, 'pattern', node, what);
  const rule: VolatileRule = {
    field: reader.pointer(field, `${what}: "field"`),
    pattern: reader.pattern(pattern, `${what}: "pattern"`, MAX_PATTERN),
    reason: reader.reason(reader.needed(members, 'reason', node, what), `${what}: "reason"`),
    line: node.place.line,
  };
  let targets = 0;
  for (const target of TARGETS) {
    const value = members.get(target);
    if (!value) continue;
    rule[target] = reader.text(value, `${what}: "${target}"`);
    targets++;
  }
  const instructions = members.get('instructions');
  if (instructions) {
    if (!reader.truth(instructions, `${what}: "instructions"`)) {
      reader.fail(instructions, `${what}: "instructions" must be true or left out.`);
    }
    rule.instructions = true;
    targets++;
  }
  if (targets !== 1) {
    reader.fail(
      node,
      `${what} must name exactly one of tool, prompt, resource, resourceTemplate and instructions.`,
    );
  }
  return rule;
}

function readSuppression(node: ConfigNode, reader: PolicyReader): Suppression {
  const what = 'An entry of "suppress"';
  const members = reader.members(node, what, ['rule', 'server', 'name', 'reason', 'expires']);
  const rule = reader.needed(members, 'rule', node, what);
  const id = reader.text(rule, `${what}: "rule"`);
  if (!/^AG-[A-Z]{2}-\d{3}$/.test(id)) {
    reader.fail(rule, `${what}: "rule" must be the id of a rule, such as AG-TP-004.`);
  }
  const suppression: Suppression = {
    rule: id,
    reason: reader.reason(reader.needed(members, 'reason', node, what), `${what}: "reason"`),
    line: node.place.line,
  };
  const server = members.get('server');
  if (server) suppression.server = reader.text(server, `${what}: "server"`);
  const name = members.get('name');
  if (name) suppression.name = reader.text(name, `${what}: "name"`);
  const expires = members.get('expires');
  if (expires) suppression.expires = reader.date(expires, `${what}: "expires"`);
  return suppression;
}
