import type { DeclaredServer } from '../config/types.ts';
import type { CapabilityRecord, LockedServer } from '../lock/types.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, own, pointer, pointerTokens } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { secretSpans } from '../util/redact.ts';
import { findSecrets } from '../util/secrets.ts';
import { replaceSpans } from '../util/spans.ts';
import { evidenceOf } from './evidence.ts';
import { isDistinctive, sameSource } from './matchers/shadowing.ts';
import { raised, rank } from './raise.ts';
import type { FindingKind, PlaceHit, Rule, RuleInfo, SchemaContext, ServerView, TextRole } from './rule.ts';
import { RULES } from './rules/all.ts';
import { type SkillPart, weighSkillText } from './skill-texts.ts';
import { createTextSearch, type TextMatch, type TextSearch } from './text-search.ts';
import type { Finding } from './types.ts';
import { schemasOf, walkTexts } from './walk.ts';

export interface FindOptions {
  /** Only these rules; all when absent. */
  rules?: readonly Rule[];
}

/** Of one rule on one capability this many are listed; more of the same helps nobody. */
const MAX_PER_RULE = 5;

/**
 * What looks dangerous in the servers' surfaces and in their declarations. `servers` by key: live surfaces as pinned,
 * or a lock's. Severities are those of the rules; several rules on one capability raise each other by one. Worst
 * first, then by server, kind, name, rule and pointer. Never throws for what a text holds.
 */
export function findIn(
  servers: ReadonlyMap<string, LockedServer>,
  declared: readonly DeclaredServer[],
  options: FindOptions = {},
): Finding[] {
  const rules = options.rules ?? RULES;
  const found: Finding[] = [];
  const surfaces: Finding[] = [];
  for (const rule of rules) {
    if (rule.on !== 'surfaces') continue;
    for (const hit of rule.match(servers)) surfaces.push(placed(rule, hit, hit.server, hit.kind, hit.name));
  }
  const owners = toolOwners(servers);
  const search = createTextSearch(rules);
  const faints = new Set<Finding>();
  for (const [key, server] of servers) {
    const view = viewOf(key, server, servers, owners);
    for (const capability of capabilitiesOf(server))
      found.push(...inCapability(capability, view, rules, search, faints));
  }
  const all = raiseTogether(limited([...found, ...surfaces]), faints);
  for (const one of declared) {
    for (const rule of rules) {
      if (rule.on !== 'config') continue;
      for (const hit of rule.match(one, servers.get(one.key)))
        all.push(placed(rule, hit, one.key, 'config', ''));
    }
  }
  return all.sort(
    (a, b) =>
      rank(a.severity) - rank(b.severity) ||
      byCodeUnit(a.server, b.server) ||
      byCodeUnit(a.kind, b.kind) ||
      byCodeUnit(a.name, b.name) ||
      byCodeUnit(a.rule, b.rule) ||
      byCodeUnit(a.pointer, b.pointer),
  );
}

interface Capability {
  kind: FindingKind;
  name: string;
  record: CapabilityRecord;
  definition?: Json;
}

const LISTS = [
  ['tools', 'tool'],
  ['prompts', 'prompt'],
  ['resources', 'resource'],
  ['resourceTemplates', 'resourceTemplate'],
  ['skills', 'skill'],
] as const;

function* capabilitiesOf(server: LockedServer): Generator<Capability> {
  const { instructions } = server;
  if (instructions?.text !== undefined)
    yield {
      kind: 'instructions',
      name: '',
      record: { hash: '', extra: {} },
      definition: { text: instructions.text },
    };
  for (const [list, kind] of LISTS) {
    for (const [name, record] of server[list] ?? [])
      yield { kind, name, record, ...(record.definition ? { definition: record.definition } : {}) };
  }
}

function inCapability(
  { kind, name, record, definition }: Capability,
  view: ServerView,
  rules: readonly Rule[],
  search: TextSearch,
  faints: Set<Finding>,
): Finding[] {
  const found: Finding[] = [];
  const look = (value: Json, base: string, role?: TextRole): void => {
    for (const walked of walkTexts(value, base, role)) {
      const matches = search(walked, kind, name, view);
      const long = kind === 'skill' && !walked.isKey && !walked.pointer.startsWith('/frontmatter');
      const weighed: readonly (TextMatch & { faint?: boolean })[] = long
        ? weighSkillText(walked.text, matches, partOf(walked.pointer, role))
        : matches;
      for (const { rule, hit, faint } of weighed) {
        const severity = faint ? 'low' : hit.severity;
        const place = { ...hit, severity, pointer: walked.pointer, shown: walked.text };
        const one = finding(rule, place, walked.isKey ? 'name' : 'text', view.key, kind, name);
        // One that only smells is listed once.
        if (faint && found.some((other) => other.rule === one.rule && faints.has(other))) continue;
        if (faint) faints.add(one);
        found.push(one);
      }
    }
  };
  // Without its text, a name is all that a lock of hashes holds.
  look(definition ?? { name }, '');
  if (record.meta !== undefined) look(record.meta, '/_meta');
  for (const [path, { text }] of record.files ?? [])
    if (text !== undefined) look(text, pointer('files', path), isRead(path) ? 'prose' : 'value');
  const object = isObject(definition) ? definition : {};
  const schema: SchemaContext = { definition: object, schemas: schemasOf(object), kind, name };
  for (const rule of rules) {
    if (rule.on === 'schema' && kind !== 'instructions' && kind !== 'skill')
      for (const hit of rule.match(schema)) found.push(placed(rule, hit, view.key, kind, name));
    if (rule.on === 'skill' && kind === 'skill') {
      const body = isObject(definition) ? own(definition, 'body') : undefined;
      const frontmatter = isObject(definition) ? own(definition, 'frontmatter') : undefined;
      const skill = { name, record, frontmatter, body: typeof body === 'string' ? body : '' };
      for (const hit of rule.match(skill)) found.push(placed(rule, hit, view.key, kind, name));
    }
  }
  return found;
}

function partOf(at: string, role: TextRole | undefined): SkillPart {
  return at === '/body' ? 'body' : role === 'value' ? 'code' : 'document';
}

/** Files of a skill that a model reads; others are code and data. */
function isRead(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc)$/i.test(path);
}

type Subject = 'text' | 'name' | 'value' | 'declaration';

function placed(rule: Rule, hit: PlaceHit, server: string, kind: FindingKind, name: string): Finding {
  const subject = rule.on === 'config' ? 'declaration' : rule.on === 'surfaces' ? 'name' : 'value';
  return finding(rule, hit, subject, server, kind, name);
}

function finding(
  rule: RuleInfo,
  hit: PlaceHit,
  subject: Subject,
  server: string,
  kind: FindingKind,
  name: string,
): Finding {
  const at = cleanPointer(hit.pointer);
  return {
    rule: rule.id,
    severity: hit.severity ?? rule.severity,
    server,
    kind,
    name,
    pointer: at,
    message: visibleLine(redacted(`The ${subject} at ${at.slice(0, 200)} ${hit.message}.`)),
    evidence: evidenceOf(hit.shown, hit.start ?? 0, hit.end ?? Math.min(hit.shown.length, 200)),
    suppressed: null,
  };
}

/** A key can be a credential; the pointer must not print it. */
function cleanPointer(at: string): string {
  if (at.length < 30) return at;
  const tokens = pointerTokens(at);
  return tokens.some((token) => findSecrets(token).length > 0) ? pointer(...tokens.map(redacted)) : at;
}

function redacted(text: string): string {
  return replaceSpans(text, secretSpans(text));
}

function limited(findings: readonly Finding[]): Finding[] {
  const counts = new Map<string, number>();
  return findings.filter((one) => {
    const key = JSON.stringify([one.server, one.kind, one.name, one.rule]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MAX_PER_RULE;
  });
}

/** `DESIGN.md` §7: several on one capability raise each other by one. Several places of one rule are not several. */
function raiseTogether(findings: readonly Finding[], faints: ReadonlySet<Finding>): Finding[] {
  const rulesOf = new Map<string, Set<string>>();
  const keyOf = (one: Finding): string => JSON.stringify([one.server, one.kind, one.name]);
  for (const one of findings) {
    if (faints.has(one)) continue;
    const rules = rulesOf.get(keyOf(one)) ?? new Set();
    rules.add(one.rule);
    rulesOf.set(keyOf(one), rules);
  }
  return findings.map((one) =>
    !faints.has(one) && (rulesOf.get(keyOf(one))?.size ?? 0) > 1
      ? { ...one, severity: raised(one.severity) }
      : one,
  );
}

/** Distinctive tool names, in lower case, to the servers that have them. */
function toolOwners(servers: ReadonlyMap<string, LockedServer>): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const [key, server] of servers) {
    for (const name of server.tools?.keys() ?? []) {
      if (!isDistinctive(name)) continue;
      const list = owners.get(name.toLowerCase());
      if (list) list.push(key);
      else owners.set(name.toLowerCase(), [key]);
    }
  }
  return owners;
}

function viewOf(
  key: string,
  server: LockedServer,
  servers: ReadonlyMap<string, LockedServer>,
  owners: ReadonlyMap<string, string[]>,
): ServerView {
  const ownNames = new Set<string>();
  const parameters = new Set<string>();
  for (const list of [server.tools, server.prompts])
    for (const name of list?.keys() ?? []) ownNames.add(name.toLowerCase());
  for (const record of server.tools?.values() ?? []) {
    const schema = record.definition ? own(record.definition, 'inputSchema') : undefined;
    const properties = isObject(schema) ? own(schema, 'properties') : undefined;
    if (isObject(properties)) for (const name of Object.keys(properties)) parameters.add(name.toLowerCase());
  }
  const foreign = new Map<string, string>();
  for (const [name, keys] of owners) {
    const other = keys.find((one) => {
      const its = servers.get(one);
      return one !== key && its !== undefined && !sameSource(its, server);
    });
    if (other !== undefined) foreign.set(name, other);
  }
  return { key, server, own: ownNames, parameters, foreign };
}
