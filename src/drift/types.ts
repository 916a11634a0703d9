import type { Severity } from '../config/types.ts';
import type { Json } from '../util/json.ts';

/** `DESIGN.md` §6. */
export type FieldClass =
  | 'text-changed'
  | 'text-added'
  | 'text-removed'
  | 'whitespace-only'
  | 'property-added-optional'
  | 'property-added-required'
  | 'property-removed'
  | 'required-added'
  | 'required-removed'
  | 'type-widened'
  | 'type-narrowed'
  | 'type-changed'
  | 'enum-widened'
  | 'enum-narrowed'
  | 'constraint-relaxed'
  | 'constraint-tightened'
  | 'additional-properties-opened'
  | 'additional-properties-closed'
  | 'default-changed'
  | 'const-changed'
  | 'ref-changed'
  | 'format-changed'
  | 'composition-changed'
  | 'schema-plumbing'
  | 'schema-changed'
  | 'source-changed'
  | 'launch-changed'
  | 'hint-loosened'
  | 'hint-tightened'
  | 'title-changed'
  | 'output-schema-changed'
  | 'meta-changed'
  | 'icon-changed'
  | 'encoding-only'
  /** A lock that pins less than the one before it. */
  | 'unpinned'
  | 'field-changed';

export type ChangeKind =
  | 'tool'
  | 'prompt'
  | 'resource'
  | 'resourceTemplate'
  | 'instructions'
  | 'skill'
  | 'server';

/** One difference inside a capability. An absent `before` or `after` means that the member is not there. */
export interface FieldChange {
  /** JSON pointer (RFC 6901) into the definition; `/text` for instructions; `/_meta/…` for `_meta`. */
  pointer: string;
  class: FieldClass;
  severity: Severity;
  before?: Json;
  after?: Json;
  /** True when the lock holds only a hash of this field, so that the old text cannot be shown. */
  beforeUnknown?: true;
}

/** All differences of one capability (or of a server as such, kind `server`, name `""`). */
export interface Change {
  server: string;
  kind: ChangeKind;
  name: string;
  change: 'added' | 'removed' | 'changed' | 'renamed';
  /** For `renamed`: the name in the lock. */
  from?: string;
  severity: Severity;
  /** True for base lock to head lock, what the pull request accepts. */
  accepted: boolean;
  fields: FieldChange[];
}

export type Cause =
  | 'release-changed'
  | 'same-release'
  | 'floating-release'
  | 'launch-changed'
  | 'protocol-changed'
  | 'credentials-changed'
  | 'masks-changed'
  | 'remote-changed'
  | 'unknown';
