import type { ServerSkill } from '../capture/types.ts';
import { parseSkill } from '../config/parse-skill.ts';
import { AgentGateError } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own, setOwn } from '../util/json.ts';
import { sortedEntries } from '../util/order.ts';
import { canonicalJson, mapStrings, nfc } from './canonical.ts';
import { hashOf, nfcHashOf } from './hash.ts';
import { maskList } from './mask.ts';
import { addProblem, type PinContext } from './pin-problem.ts';
import { bytesHash, maskedBytes, type RawSkillFile, skillRecord, textOf } from './skill-record.ts';
import type { CapabilityRecord, MaskName } from './types.ts';
import { findDefect } from './unpinnable.ts';

/** A skill that cannot be pinned; `message` is a clause about what is at `pointer` of its entry. */
class SkillProblem extends Error {
  readonly code: string;
  readonly pointer: string;

  constructor(code: string, pointer: string, message: string) {
    super(message);
    this.name = 'SkillProblem';
    this.code = code;
    this.pointer = pointer;
  }
}

/**
 * The records of the skills that a server offers, by URI (their names need not differ), in code-unit order. The entry's
 * digests are the server's claim, so that each is checked against what reading the file gave. A `dynamic` skill is
 * pinned by its entry alone. What cannot be pinned becomes a problem of the context and has no record.
 */
export function pinServerSkills(
  skills: readonly ServerSkill[],
  context: PinContext,
): Map<string, CapabilityRecord> {
  const records = new Map<string, CapabilityRecord>();
  const names = new Map<string, string>();
  for (const [index, skill] of skills.entries()) {
    const uri = isObject(skill.entry) ? own(skill.entry, 'uri') : undefined;
    const name = typeof uri === 'string' ? context.mask(uri) : `#${index + 1}`;
    try {
      const [key, record] = pinSkill(skill, context);
      const twin = names.get(key.normalize('NFC'));
      if (twin !== undefined) {
        records.delete(twin);
        throw new SkillProblem('E_DUPLICATE_NAME', '/uri', 'is there twice in the list');
      }
      names.set(key.normalize('NFC'), key);
      records.set(key, record);
    } catch (error) {
      const problem = problemOf(error);
      addProblem(
        context,
        { code: problem.code, kind: 'skill', name, pointer: problem.pointer },
        problem.message,
      );
    }
  }
  return new Map(sortedEntries(records));
}

function problemOf(error: unknown): SkillProblem {
  if (error instanceof SkillProblem) return error;
  if (!(error instanceof AgentGateError)) throw error;
  return new SkillProblem(error.code, '', `cannot be read: ${error.message.replace(/\.$/, '')}`);
}

function pinSkill({ entry, files }: ServerSkill, context: PinContext): [string, CapabilityRecord] {
  if (!isObject(entry)) throw new SkillProblem('E_NOT_AN_OBJECT', '', 'is not an object');
  const defect = findDefect(entry);
  if (defect !== undefined) throw new SkillProblem(defect.code, defect.pointer, defect.message);
  const uri = own(entry, 'uri');
  if (typeof uri !== 'string' || !uri.endsWith('/SKILL.md'))
    throw new SkillProblem('E_SKILL_URI', '/uri', 'is not the URI of a SKILL.md');
  const used = new Set<MaskName>();
  const masked = mapStrings(entry, (text) => context.mask(text, used)) as JsonObject;
  const { uri: _, resources, _meta: meta, ...rest } = masked;
  if (!isObject(rest.frontmatter))
    throw new SkillProblem('E_SKILL_FRONTMATTER', '/frontmatter', 'is not an object');
  const record =
    resources === 'dynamic'
      ? entryRecord({ ...rest, resources })
      : filesRecord(rest, verifiedFiles(uri, own(entry, 'resources'), files), resources, context, used);
  if (meta !== undefined) {
    record.meta = meta;
    record.metaHash = hashOf(meta);
  }
  const key = context.mask(uri, used);
  const masks = maskList(used);
  if (masks !== undefined) record.masked = masks;
  return [key, record];
}

/** No file of it stays the same, so that there is only the entry. */
function entryRecord(definition: JsonObject): CapabilityRecord {
  return { hash: nfcHashOf(definition), definition, extra: {} };
}

/** The files by path below the skill's folder, every claim about them checked. */
function verifiedFiles(
  uri: string,
  resources: Json | undefined,
  files: ReadonlyMap<string, Uint8Array>,
): Map<string, Uint8Array> {
  if (!Array.isArray(resources))
    throw new SkillProblem('E_SKILL_RESOURCES', '/resources', 'is neither a list nor "dynamic"');
  const root = uri.slice(0, -'SKILL.md'.length);
  const verified = new Map<string, Uint8Array>();
  for (const [index, resource] of resources.entries()) {
    const at = `/resources/${index}`;
    const file = isObject(resource) ? own(resource, 'uri') : undefined;
    const path = typeof file === 'string' && file.startsWith(root) ? file.slice(root.length) : '';
    if (path.split('/').some((part) => part === '' || part === '.' || part === '..'))
      throw new SkillProblem('E_SKILL_URI', `${at}/uri`, 'is not the URI of a file in its folder');
    if (verified.has(path)) throw new SkillProblem('E_SKILL_URI', `${at}/uri`, 'is there twice');
    const bytes = files.get(root + path);
    if (!isObject(resource) || bytes === undefined)
      throw new SkillProblem('E_SKILL_READ', at, 'was not read');
    if (own(resource, 'size') !== bytes.length)
      throw new SkillProblem(
        'E_SKILL_DIGEST',
        `${at}/size`,
        'is not the size of the file that the server gives',
      );
    if (own(resource, 'digest') !== bytesHash(bytes))
      throw new SkillProblem(
        'E_SKILL_DIGEST',
        `${at}/digest`,
        'is not the digest of the file that the server gives',
      );
    verified.set(path, bytes);
  }
  if (!verified.has('SKILL.md'))
    throw new SkillProblem('E_SKILL_RESOURCES', '/resources', 'lacks the SKILL.md itself');
  return verified;
}

function filesRecord(
  entry: JsonObject,
  files: ReadonlyMap<string, Uint8Array>,
  resources: Json | undefined,
  context: PinContext,
  used: Set<MaskName>,
): CapabilityRecord {
  const raw = new Map<string, RawSkillFile>();
  for (const [path, bytes] of files) {
    const masked = maskedBytes(bytes, context.mask, used);
    const name = context.mask(path, used);
    if (raw.has(name))
      throw new SkillProblem(
        'E_NAMES_EQUAL_MASKED',
        '/resources',
        'has two files whose names are equal after masking',
      );
    raw.set(name, { mode: 'file', bytes: masked });
  }
  const skill = raw.get('SKILL.md');
  const text = skill && textOf(skill.bytes);
  if (text === undefined)
    throw new SkillProblem('E_SKILL_ENCODING', '/resources', 'has a SKILL.md that is no UTF-8 text');
  const { head, body, frontmatter } = parseSkill(text, 'its SKILL.md');
  compareFrontmatter(own(entry, 'frontmatter'), frontmatter);
  const definition: JsonObject = { ...entry };
  setOwn(definition, 'body', body);
  const more = furtherMembers(resources);
  if (more.length > 0) setOwn(definition, 'resources', more);
  const defect = findDefect(definition);
  if (defect !== undefined) throw new SkillProblem(defect.code, defect.pointer, defect.message);
  return skillRecord({ definition, head, files: raw });
}

/**
 * Keys whose values are texts in every dialect of YAML. A server may read others (dates, `yes`) in its own way; they
 * are pinned as both sides have them.
 */
const COMPARED = ['name', 'description', 'allowed-tools'];

/** What a client shows for approval must be what the model gets. */
function compareFrontmatter(listed: Json | undefined, written: JsonObject): void {
  for (const key of COMPARED) {
    const [a, b] = [isObject(listed) ? own(listed, key) : undefined, own(written, key)];
    const same =
      a === undefined || b === undefined ? a === b : canonicalJson(nfc(a)) === canonicalJson(nfc(b));
    if (!same)
      throw new SkillProblem(
        'E_SKILL_FRONTMATTER',
        `/frontmatter/${key}`,
        'is not what the front matter of its SKILL.md says',
      );
  }
}

/** What the list says of files besides their URI, digest and size, which the files themselves show. */
function furtherMembers(resources: Json | undefined): Json[] {
  if (!Array.isArray(resources)) return [];
  return resources.flatMap((resource) => {
    if (!isObject(resource)) return [];
    const { digest, size, ...rest } = resource;
    return Object.keys(rest).length > 1 ? [rest] : [];
  });
}
