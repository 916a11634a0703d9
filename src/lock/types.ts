import type { LaunchRecord, Source } from '../config/types.ts';
import type { Json, JsonObject } from '../util/json.ts';

/** `sha256:<64 hex>`. */
export type Hash = string;

/** What was replaced in a text before hashing: a credential, a host path, a secret of the server, what a rule matched. */
export type MaskName = 'CREDENTIAL' | 'CWD' | 'HOME' | 'SECRET' | 'TMPDIR' | 'volatile';

/** One pinned capability. Members that a lock of an older release lacks are absent. */
export interface CapabilityRecord {
  hash: Hash;
  /**
   * Raw, without `_meta`, masked; of resources and templates also without a date in `annotations.lastModified` and a
   * number in `size`, which change with the data. Absent in a hash-only lock.
   */
  definition?: JsonObject;
  meta?: Json;
  metaHash?: Hash;
  masked?: MaskName[];
  /**
   * For a UI resource that a tool names: hash of what reading it gave, NFC, `_meta` included. The text itself (often
   * megabytes of HTML) is not kept.
   */
  contentHash?: Hash;
  /** Bytes of that text in UTF-8, or of its blob. */
  contentSize?: number;
  /** What reading it gave, masked: of a live surface only, for findings. Never written. */
  content?: JsonObject;
  /** For a skill: over every file of its bundle, see {@link SkillFile}. Absent when its files are not pinned. */
  bundleHash?: Hash;
  /** For a skill: its files by path relative to its folder, `/`-separated. */
  files?: Map<string, SkillFile>;
  /** Unknown members, kept as they were. */
  extra: JsonObject;
}

/** Like git: the permission that counts is the owner's right to execute. */
export type SkillFileMode = 'file' | 'executable' | 'link';

/**
 * One file of a skill. `bundleHash` is `jcs` of `[[path, hash, mode], …]`, ordered by path in UTF-16 code units. The
 * path `.` stands for the skill's folder itself when that is a symbolic link.
 */
export interface SkillFile {
  /** Of the raw bytes; of a link, of its target as UTF-8. */
  hash: Hash;
  mode: SkillFileMode;
  /** Bytes; not of a link. */
  size?: number;
  /** A link's target, as it is written. */
  link?: string;
  /** The whole text of a small text file, so that a change can be shown in words. Not of `SKILL.md`. */
  text?: string;
  /** Of `SKILL.md`: the text before the body, front matter and fences; `definition.body` is the rest. */
  head?: string;
}

export interface ToolRecord extends CapabilityRecord {
  nameHash?: Hash;
  descriptionHash?: Hash;
  inputSchemaHash?: Hash;
  definitionHash?: Hash;
}

export interface InstructionsRecord {
  hash: Hash;
  /** As sent, masked; the hash is of its NFC form. */
  text?: string;
  masked?: MaskName[];
  extra: JsonObject;
}

/**
 * One server's entry. A record that is absent is "not pinned yet", an empty one means "the server had none".
 * A `null` instructions record means that the server gave none.
 */
export interface LockedServer {
  config?: string;
  launch?: LaunchRecord;
  /** How clients start it through AgentGate's proxy, see `gateRecord`. Absent in a live entry: not looked at. */
  gate?: JsonObject;
  source?: Source;
  transport?: string;
  protocolVersion?: string;
  toolSurfaceHash?: Hash;
  tools?: Map<string, ToolRecord>;
  prompts?: Map<string, CapabilityRecord>;
  resources?: Map<string, CapabilityRecord>;
  resourceTemplates?: Map<string, CapabilityRecord>;
  skills?: Map<string, CapabilityRecord>;
  instructions?: InstructionsRecord | null;
  extra: JsonObject;
}

export interface Lock {
  lockfileVersion: 1;
  agentgateVersion?: string;
  generatedAt?: string;
  servers: Map<string, LockedServer>;
  /** Unknown top-level members. */
  extra: JsonObject;
}

export type CapabilityKind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate' | 'skill';
