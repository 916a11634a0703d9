import type { DeclaredServer, Severity } from '../config/types.ts';
import type { CapabilityRecord, LockedServer } from '../lock/types.ts';
import type { Json, JsonObject } from '../util/json.ts';
import type { PlainText } from './plain-text.ts';
import type { Finding } from './types.ts';
import type { UiPage } from './ui-body.ts';
import type { WalkedSchema } from './walk.ts';

/** What documentation and SARIF say of a rule. */
export interface RuleInfo {
  /** `AG-` family, number: stable, suppressions name it. */
  id: string;
  title: string;
  /** Before combination; a match may ask for another. */
  severity: Severity;
  /** What is matched. */
  what: string;
  /** What an attacker gains, or what goes wrong. */
  why: string;
  /** A synthetic text or setting that matches. */
  example: string;
  /** What to do about it. */
  fix: string;
}

/** A match inside a text, in UTF-16 offsets of the raw text. */
export interface TextHit {
  start: number;
  end: number;
  message: string;
  severity?: Severity;
}

/** A match at a place that the rule points out itself. */
export interface PlaceHit {
  pointer: string;
  /** The raw text to show. */
  shown: string;
  /** Offsets in `shown`; all of it when absent. */
  start?: number;
  end?: number;
  message: string;
  severity?: Severity;
}

/**
 * Where a text stands: `prose` is meant to be read, `name` is a key or an identifier, `value` is data of a schema
 * (default, enum, const, examples, pattern).
 */
export type TextRole = 'prose' | 'name' | 'value';

export type FindingKind = Finding['kind'];

/** One text of one capability. */
export interface TextContext {
  raw: string;
  role: TextRole;
  /** Lower case, hidden characters out, look-alikes folded. */
  plain: PlainText;
  pointer: string;
  kind: FindingKind;
  /** Of the capability. */
  name: string;
  view: ServerView;
}

export type ForeignTools = Pick<ReadonlyMap<string, string>, 'get' | 'has'>;

/** What a rule may know of the server that a text belongs to. */
export interface ServerView {
  key: string;
  server: LockedServer;
  /** Names of its tools and prompts. */
  own: ReadonlySet<string>;
  /** Names of its tools' parameters. */
  parameters: ReadonlySet<string>;
  /** Distinctive names of other servers' tools, to the servers' keys. */
  foreign: ForeignTools;
}

export interface SchemaContext {
  /** The capability's definition. */
  definition: JsonObject;
  /** Every schema of its input and output, with the root that references start from. */
  schemas: readonly (WalkedSchema & { root: JsonObject })[];
  kind: FindingKind;
  name: string;
}

export interface SkillContext {
  name: string;
  record: CapabilityRecord;
  frontmatter: Json | undefined;
  body: string;
}

/** A finding that a rule places on a capability of a server by itself. */
export interface SurfaceHit extends PlaceHit {
  server: string;
  kind: FindingKind;
  name: string;
}

export interface TextRule extends RuleInfo {
  on: 'text';
  /** Looks at keys and identifiers, too. */
  names?: true;
  /** Its answer depends on the capability or on other servers, not only on the text. */
  surroundings?: true;
  match: (context: TextContext) => TextHit[];
}

export interface SchemaRule extends RuleInfo {
  on: 'schema';
  match: (context: SchemaContext) => PlaceHit[];
}

export interface SurfacesRule extends RuleInfo {
  on: 'surfaces';
  match: (servers: ReadonlyMap<string, LockedServer>) => SurfaceHit[];
}

export interface ConfigRule extends RuleInfo {
  on: 'config';
  match: (declared: DeclaredServer, locked: LockedServer | undefined) => PlaceHit[];
}

export interface SkillRule extends RuleInfo {
  on: 'skill';
  match: (skill: SkillContext) => PlaceHit[];
}

export interface UiRule extends RuleInfo {
  on: 'ui';
  match: (page: UiPage) => PlaceHit[];
}

export type Rule = UiRule | TextRule | SchemaRule | SurfacesRule | ConfigRule | SkillRule;
