import type { CapabilityKind } from '../lock/types.ts';
import type { JsonObject } from '../util/json.ts';

/** Programs whose locks can be moved over. */
export type ForeignProgram = 'toolprint' | 'mcp-agentgate';

/** What a foreign lock holds of one capability. */
export interface ForeignRecord {
  /** toolprint: hash over the definition without `_meta`. */
  hash?: string;
  /** toolprint: the reviewed description. */
  description?: string;
  /** mcp-agentgate: bare hexadecimal SHA-256 of name, description and input schema. */
  nameHash?: string;
  descriptionHash?: string;
  inputSchemaHash?: string;
}

export interface ForeignServer {
  /** toolprint: the command line or URL. */
  source?: string;
  /** By kind, by name as that program names it. A kind that is absent is not pinned there. */
  records: Map<CapabilityKind, Map<string, ForeignRecord>>;
}

/** A lock of another program, its shape checked. */
export interface ForeignLock {
  program: ForeignProgram;
  /** Of the file's text, bare hexadecimal. */
  sha256: string;
  servers: Map<string, ForeignServer>;
  /** mcp-agentgate, version 2: hash of each instruction file, by path relative to the working directory. */
  files?: Map<string, string>;
}

/** Whether a foreign record vouches for a live definition, and for which of its parts. */
export interface Verdict {
  matches: boolean;
  /** Of what does not match, members as far as they are known; `""` for the whole. */
  differs: readonly ('' | 'description' | 'inputSchema')[];
  /** True when everything but `_meta` is vouched for, false when only name, description and input schema are. */
  whole: boolean;
}

/** A rule that vouches for definitions, and how that program names a capability. */
export interface ForeignRule {
  /** The names that releases of that program keep it under, the usual one first; none for what it never keeps. */
  namesOf(kind: CapabilityKind, definition: JsonObject): string[];
  vouch(record: ForeignRecord, definition: JsonObject): Verdict;
  /** What that program takes a repository's skill for; absent when it knows none. */
  skill?(name: string, text: string): JsonObject;
}
