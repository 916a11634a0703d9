import { hash } from 'node:crypto';
import { type JsonObject, own, setOwn } from '../util/json.ts';
import { hasMarkRun } from '../util/json-scan.ts';
import { byCodeUnit, sortedEntries } from '../util/order.ts';
import { JSON_LIMITS } from '../util/strict-json.ts';
import { CanonicalError } from './canonical.ts';
import { hashOf, nfcHashOf } from './hash.ts';
import type { Masker } from './mask.ts';
import { shown } from './shown.ts';
import type { CapabilityRecord, Hash, MaskName, SkillFile } from './types.ts';
import { findDefect } from './unpinnable.ts';

/** Bytes of one text file that the lock keeps, so that a change of it can be shown in words; larger ones by hash. */
const MAX_TEXT_BYTES = 128 * 1024;
/** Bytes of all texts that the lock keeps of one skill, in the order of their paths. */
const MAX_TEXTS_BYTES = 512 * 1024;

/** One file as it was read. */
export interface RawSkillFile {
  mode: SkillFile['mode'];
  /** Of a link: its target as UTF-8. */
  bytes: Uint8Array;
}

/** What a skill's record is made of, `SKILL.md` being parted into `head` and `definition.body`. */
export interface SkillParts {
  /** `body` and `frontmatter`, and what else a server said of the skill. */
  definition: JsonObject;
  head: string;
  /** By path; `SKILL.md` among them. */
  files: ReadonlyMap<string, RawSkillFile>;
}

/**
 * The record of one skill. Throws as `canonicalJson` and `nfc` do, and the codes of `findDefect` for paths and texts that
 * no lock can hold.
 */
export function skillRecord({ definition, head, files }: SkillParts): CapabilityRecord {
  const records = new Map<string, SkillFile>();
  let kept = 0;
  for (const [path, raw] of sortedEntries(files)) {
    const record: SkillFile = { hash: bytesHash(raw.bytes), mode: raw.mode };
    const text = raw.bytes.length <= MAX_TEXT_BYTES ? keptText(raw.bytes) : undefined;
    if (raw.mode === 'link') record.link = textOf(raw.bytes) ?? '';
    else {
      record.size = raw.bytes.length;
      if (path === 'SKILL.md') record.head = head;
      else if (text !== undefined && kept + raw.bytes.length <= MAX_TEXTS_BYTES) {
        record.text = text;
        kept += raw.bytes.length;
      }
    }
    records.set(path, record);
  }
  refuseDefects(records);
  return {
    hash: nfcHashOf(definition),
    definition,
    bundleHash: bundleHash(records),
    files: records,
    extra: {},
  };
}

/** A text that a lock may hold. */
function keptText(bytes: Uint8Array): string | undefined {
  const text = textOf(bytes);
  return text === undefined || hasMarkRun(text, JSON_LIMITS.maxMarks) ? undefined : text;
}

function refuseDefects(records: ReadonlyMap<string, SkillFile>): void {
  const names: JsonObject = {};
  for (const [path, { link, head }] of records) setOwn(names, path, link ?? head ?? '');
  const defect = findDefect(names);
  if (defect !== undefined)
    throw new CanonicalError(defect.code, `The file ${shown(defect.pointer.slice(1))} ${defect.message}.`);
}

/** Hash over the files of a skill, see {@link SkillFile}. */
export function bundleHash(files: ReadonlyMap<string, SkillFile>): Hash {
  const rows = [...files].sort(([a], [b]) => byCodeUnit(a, b));
  return hashOf(rows.map(([path, file]) => [path, file.hash, file.mode]));
}

/** `sha256:<hex>` of bytes, or of a text's UTF-8 bytes. */
export function bytesHash(bytes: Uint8Array | string): Hash {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}

/** The text of UTF-8 bytes, a BOM kept; undefined for anything else, and for what holds NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The bytes of a file with its text masked; others, and a text that holds nothing to mask, as they are. */
export function maskedBytes(bytes: Uint8Array, mask: Masker, used: Set<MaskName>): Uint8Array {
  const text = textOf(bytes);
  if (text === undefined) return bytes;
  const masked = mask(text, used);
  return masked === text ? bytes : Buffer.from(masked);
}

/** The first member of a skill's record that does not fit its files; undefined when all do, and for other records. */
export function skillFilesEdit(record: CapabilityRecord): string | undefined {
  const { files, definition } = record;
  if (files === undefined) return undefined;
  for (const [path, file] of files) {
    const body = definition && own(definition, 'body');
    const text =
      file.mode === 'link'
        ? file.link
        : file.head !== undefined && typeof body === 'string'
          ? file.head + body
          : file.text;
    if (text !== undefined && bytesHash(text) !== file.hash) return `files/${path}`;
  }
  return record.bundleHash === bundleHash(files) ? undefined : 'bundleHash';
}
