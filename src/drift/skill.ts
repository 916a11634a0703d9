import type { Severity } from '../config/types.ts';
import type { CapabilityRecord, SkillFile } from '../lock/types.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';
import { sameJson } from './equal.ts';
import { field, textField } from './field.ts';
import { severityRank } from './severity.ts';
import type { FieldChange } from './types.ts';

/** Front matter that the model reads. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'when_to_use', 'compatibility']);
/** Front matter that lets a skill do more than be read (Claude Code). */
const POWERS: ReadonlyMap<string, Severity> = new Map([
  ['hooks', 'high'],
  ['shell', 'medium'],
  ['context', 'medium'],
  ['agent', 'medium'],
  ['model', 'medium'],
  ['paths', 'medium'],
  ['name', 'medium'],
]);

/** Differences of a skill's front matter, one field per key, at `/frontmatter/<key>`. */
export function compareFrontmatter(before: JsonObject, after: JsonObject): FieldChange[] {
  const fields: FieldChange[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [own(before, key), own(after, key)];
    if (sameJson(a, b)) continue;
    const at = `/frontmatter${pointer(key)}`;
    if (TEXTS.has(key)) fields.push(textField(at, a, b));
    else if (key === 'allowed-tools') fields.push(toolsField(at, a, b, toolNames(a), toolNames(b)));
    else if (key === 'disallowed-tools') fields.push(toolsField(at, a, b, toolNames(b), toolNames(a)));
    else if (key === 'disable-model-invocation' && typeof (b ?? false) === 'boolean')
      fields.push(
        b === true
          ? field(at, 'constraint-tightened', a, b, 'low')
          : field(at, 'constraint-relaxed', a, b, 'medium'),
      );
    else fields.push(field(at, 'field-changed', a, b, b === undefined ? 'low' : POWERS.get(key)));
  }
  return fields;
}

/** A list of tools that are allowed without a question: `old` and `now` are what it allows. */
function toolsField(
  at: string,
  before: Json | undefined,
  after: Json | undefined,
  old: readonly string[],
  now: readonly string[],
): FieldChange {
  const wider = now.some((tool) => !old.some((other) => covers(other, tool)));
  const narrower = old.some((tool) => !now.some((other) => covers(other, tool)));
  if (wider) return field(at, 'constraint-relaxed', before, after, 'high');
  if (narrower) return field(at, 'constraint-tightened', before, after, 'low');
  return field(at, 'field-changed', before, after, 'low');
}

/** `Bash(git add:*) Read, Write`, or a list of such. */
function toolNames(value: Json | undefined): string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === 'string'
      ? (text.slice(0, 65_536).match(/[^\s,()]{1,200}(?:\([^()]{0,2000}\))?/g) ?? [])
      : text === undefined || text === null
        ? []
        : [JSON.stringify(text)],
  );
}

/** `Bash` allows all that `Bash(git:*)` does. */
function covers(tool: string, other: string): boolean {
  const scope = tool.indexOf('(');
  const bare = scope === -1 || /^\([\s:*]*\)$/.test(tool.slice(scope));
  const name = scope === -1 ? tool : tool.slice(0, scope);
  return tool === other || tool === '*' || (bare && other.split('(')[0] === name);
}

/** What two bundles differ in, at `/files/<path>`. */
export interface BundleDiff {
  fields: FieldChange[];
  /** True when `before` pins no files and `after` does: a record of an older lock, or of another program. */
  partly: boolean;
  /** Paths of files that differ in their line ends only. */
  lineEnds: string[];
}

/** Compares the files of two skills, by what each of the records holds: files, a hash over them, or neither. */
export function compareBundles(before: CapabilityRecord, after: CapabilityRecord): BundleDiff {
  const diff: BundleDiff = { fields: [], partly: false, lineEnds: [] };
  const [old, now] = [before.files, after.files];
  if (old !== undefined && now !== undefined) {
    for (const path of [...new Set([...old.keys(), ...now.keys()])].sort(byCodeUnit))
      compareFile(path, old.get(path), now.get(path), sameFrontmatter(before, after), diff);
  } else if (before.bundleHash === undefined) diff.partly = after.bundleHash !== undefined;
  else if (before.bundleHash !== after.bundleHash) {
    const change = field('/files', 'field-changed', undefined, after.bundleHash, 'medium');
    diff.fields.push(
      after.bundleHash === undefined
        ? field('/files', 'field-changed', before.bundleHash, undefined, 'medium')
        : { ...change, beforeUnknown: true },
    );
  }
  const [body, newBody] = [bodyOf(before), bodyOf(after)];
  if (isLineEndsOnly(body, newBody)) diff.lineEnds.push('SKILL.md');
  return diff;
}

function compareFile(
  path: string,
  old: SkillFile | undefined,
  now: SkillFile | undefined,
  sameHead: boolean,
  diff: BundleDiff,
): void {
  const at = pointer('files', path);
  const [a, b] = [wordsOf(old), wordsOf(now)];
  if (old?.hash !== now?.hash || (old?.mode === 'link') !== (now?.mode === 'link')) {
    if (old?.mode === 'link' && now?.mode === 'link')
      diff.fields.push(field(at, 'ref-changed', old.link, now.link, 'medium'));
    else if (path === 'SKILL.md' && old?.head !== undefined && now?.head !== undefined) {
      // Its body and front matter are shown as such; a comment in the front matter is in neither.
      if (old.head !== now.head && (sameHead || /#/.test(old.head + now.head)))
        diff.fields.push(textField(at, old.head, now.head));
    } else if (a.text !== undefined || b.text !== undefined) {
      const both = a.known && b.known;
      const change = both ? textField(at, a.text, b.text) : field(at, 'field-changed', a.whole, b.whole);
      if (isLineEndsOnly(a.text, b.text)) diff.lineEnds.push(path);
      diff.fields.push(atLeast(change, now === undefined ? 'low' : 'medium'));
    } else
      diff.fields.push(
        atLeast(field(at, 'field-changed', a.whole, b.whole), now === undefined ? 'low' : 'medium'),
      );
  }
  const executable = now?.mode === 'executable';
  if (executable !== (old?.mode === 'executable') && now !== undefined)
    diff.fields.push(field(at, 'field-changed', old?.mode, now.mode, executable ? 'medium' : 'low'));
}

interface FileWords {
  text: string | undefined;
  /** The text is known, or there is no file. */
  known: boolean;
  /** What can be said of it without its text. */
  whole: Json | undefined;
}

function wordsOf(file: SkillFile | undefined): FileWords {
  if (file === undefined) return { text: undefined, known: true, whole: undefined };
  const text = file.mode === 'link' ? undefined : (file.text ?? file.head);
  return { text, known: text !== undefined, whole: fileValue(file) };
}

/** A file as one JSON value for a report: its text, its link's target, or its hash. */
function fileValue(file: SkillFile): JsonObject {
  const { hash, mode, size, link } = file;
  if (mode === 'link') return { link: link ?? hash };
  return { hash, mode, ...(size !== undefined && { size }) };
}

/** White space and Unicode form are code in a script. */
function atLeast(change: FieldChange, severity: Severity): FieldChange {
  return severityRank(change.severity) <= severityRank(severity) ? change : { ...change, severity };
}

function sameFrontmatter(before: CapabilityRecord, after: CapabilityRecord): boolean {
  const part = (record: CapabilityRecord): Json | undefined =>
    record.definition && own(record.definition, 'frontmatter');
  return sameJson(part(before), part(after));
}

function bodyOf(record: CapabilityRecord): string | undefined {
  const body = record.definition && own(record.definition, 'body');
  return typeof body === 'string' ? body : undefined;
}

function isLineEndsOnly(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return before.replaceAll('\r\n', '\n') === after.replaceAll('\r\n', '\n');
}

/** The files of a skill that is new or gone, without what its definition shows. */
export function bundleFields(record: CapabilityRecord, change: 'added' | 'removed'): FieldChange[] {
  const diff: BundleDiff = { fields: [], partly: false, lineEnds: [] };
  for (const [path, file] of record.files ?? []) {
    // Its body and front matter are shown as such, but for comments.
    if (path === 'SKILL.md' && file.mode === 'file' && !file.head?.includes('#')) continue;
    const [old, now] = change === 'added' ? [undefined, file] : [file, undefined];
    compareFile(path, old, now, false, diff);
  }
  return diff.fields;
}

/** A skill's definition and, by path, its files: what is shown of it as one value. */
export function skillValue(record: CapabilityRecord): Json {
  const files = [...(record.files ?? [])].filter(([path]) => path !== 'SKILL.md');
  if (!isObject(record.definition)) return record.hash;
  if (files.length === 0) return record.definition;
  return {
    ...record.definition,
    files: Object.fromEntries(files.map(([path, file]) => [path, newFile(file)] as const)) as JsonObject,
  };
}

function newFile({ text, ...file }: SkillFile): Json {
  if (text === undefined) return fileValue(file);
  return file.mode === 'executable' ? { mode: file.mode, text } : text;
}
