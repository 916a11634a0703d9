import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { capped } from './cut-lines.ts';
import { type Block, code, details, type Inline, joined, paragraph, text } from './document.ts';
import { fewWords } from './few-words.ts';
import type { ReportField } from './model.ts';
import { newProse, outline } from './outline.ts';
import { type DiffStyle, diffLines } from './text-diff.ts';
import { type FenceLine, lineText, signed, wrapLines } from './text-lines.ts';
import { listWords, schemaWords, type ValueWords, valueWords, withoutDescription } from './value-words.ts';
import { fieldInlines, fieldPlace, fieldText, stringMember, worstFirst } from './words.ts';

/** How a change is drawn. */
export interface ChangeStyle extends DiffStyle {
  /** Heads of the two columns: `reviewed`, `now`. */
  before: string;
  after: string;
  /** Longest fence, in lines. */
  maxLines: number;
  /** Servers of which everything is new, for `lock`: what they show is told as plain text. */
  pins?: ReadonlySet<string>;
}

/** Texts longer than this, or of several lines, are shown as a diff and not in a cell. */
const CELL_TEXT = 80;
const WHOLE = 'the whole text is in the report';

/** Lines of one `diff` fence, no longer than the style allows. */
export function diffFence(lines: FenceLine[], style: ChangeStyle): Block {
  const shown = capped(lines, style.maxLines, WHOLE);
  const marks = new Map(
    shown.flatMap((line, index) =>
      typeof line === 'string' || line.marks === undefined ? [] : [[index, line.marks] as const],
    ),
  );
  return {
    kind: 'fence',
    info: 'diff',
    text: shown.map(lineText).join('\n'),
    ...(marks.size === 0 ? {} : { marks }),
  };
}

/**
 * Fields as a `diff` fence for what is read as text and a table for the rest, the worst of them first. Nested
 * values are put into words in the table; the sentences in them are in the fence, and all of them below, folded.
 */
export function fieldBlocks(fields: ReportField[], style: ChangeStyle): Block[] {
  const ordered = worstFirst(fields);
  const lines: FenceLine[] = [];
  const few: Inline[][] = [];
  const exact: { label: Inline[]; lines: FenceLine[] }[] = [];
  const rows: Inline[][][] = [];
  for (const field of ordered) {
    if (isText(field)) {
      // The title of instructions says it already.
      if (field.pointer !== '/text') lines.push(`@@ ${fieldText(field.pointer)} @@`);
      append(lines, textLines(field, style));
      few.push(...fewWords(field, style));
      continue;
    }
    if (isToldByItsProperty(field, fields)) continue;
    const words = fieldWords(field);
    if (field.beforeUnknown === true && isObject(field.after)) {
      // With nothing to compare, all that is there now may be new.
      rows.push([words.label, words.before.inlines, words.after.inlines]);
      lines.push(`@@ ${fieldText(field.pointer)}, now @@`, ...signed(' ', wrapLines(outline(field.after))));
      continue;
    }
    rows.push([words.label, words.before.inlines, words.after.inlines]);
    const described = diffLines(descriptionOf(field.before), descriptionOf(field.after), style);
    if (described.length > 0) append(lines, [`@@ ${fieldText(field.pointer)} description @@`, ...described]);
    if (words.before.complete && words.after.complete) continue;
    const before = withoutDescription(field.before);
    const after = withoutDescription(field.after);
    const news = newProse(before, after);
    const prose = diffLines(news.before, news.after, style);
    if (prose.length > 0) append(lines, [`@@ ${fieldText(field.pointer)} @@`, ...prose]);
    const whole = diffLines(outlineOf(before), outlineOf(after), style);
    if (whole.length > prose.length)
      exact.push({
        label: fieldInlines(field.pointer),
        lines: [`@@ ${fieldText(field.pointer)} @@`, ...whole],
      });
  }
  const table: Block[] =
    rows.length === 0
      ? []
      : [
          {
            kind: 'table',
            columns: [{ title: 'field' }, { title: style.before }, { title: style.after }],
            rows,
          },
        ];
  const diff: Block[] = lines.length === 0 ? [] : [diffFence(lines, style)];
  if (few.length > 0) diff.unshift(paragraph(...joined(few, ' · ')));
  const first = ordered[0];
  const blocks = first !== undefined && isText(first) ? [...diff, ...table] : [...table, ...diff];
  if (exact.length > 0)
    blocks.push(
      details(
        [
          text('Exactly: '),
          ...joined(
            exact.slice(0, 6).map(({ label }) => label),
            ', ',
          ),
          text(exact.length > 6 ? ', …' : ''),
        ],
        [
          diffFence(
            exact.flatMap((one) => one.lines),
            style,
          ),
        ],
      ),
    );
  if (fields.some((field) => field.beforeUnknown === true))
    blocks.push(
      paragraph(
        text('The lock holds only a hash of the reviewed text, so only what is there now can be shown.'),
      ),
    );
  return blocks;
}

/** The description of a schema, which {@link fieldWords} leaves out. */
function descriptionOf(value: Json | undefined): string {
  return stringMember(value, 'description') ?? '';
}

/** A new parameter that is required is one row and not two. */
function isToldByItsProperty(field: ReportField, fields: ReportField[]): boolean {
  if (field.class !== 'required-added' || typeof field.after !== 'string') return false;
  const property = `${field.pointer.replace(/\/required(?:\/\d+)?$/, '')}/properties${pointer(field.after)}`;
  return fields.some((other) => other.class === 'property-added-required' && other.pointer === property);
}

function outlineOf(value: ReportField['before']): string {
  return value === undefined ? '' : outline(value);
}

/** A field whose words are read, and not compared as values. */
export function isText(field: ReportField): boolean {
  const sides = [field.before, field.after].filter((side) => side !== undefined);
  if (sides.length === 0 || !sides.every((side) => typeof side === 'string')) return false;
  if (/^(?:text-|whitespace-only|encoding-only)/.test(field.class)) return true;
  return sides.some((side) => typeof side === 'string' && (side.length > CELL_TEXT || side.includes('\n')));
}

/** Signed lines of a text field: its changed hunks, or all of what is new or gone. */
export function textLines(field: ReportField, style: DiffStyle): FenceLine[] {
  const { before, after } = field;
  if (typeof after === 'string' && typeof before === 'string') return diffLines(before, after, style);
  if (typeof after === 'string')
    return signed(field.beforeUnknown === true ? ' ' : '+', wrapLines(after, style.width));
  return typeof before === 'string' ? signed('-', wrapLines(before, style.width)) : [];
}

const SCHEMA_CLASS = /^(?:property-|composition-|schema-changed|output-schema-changed|ref-)/;
const LIST_KEYWORD = /\/(?:enum|required|type|args|env|headers)$/;

/** One row: the place of the field, and both sides in a few words. */
export function fieldWords(field: ReportField): { label: Inline[]; before: ValueWords; after: ValueWords } {
  const required = requiredWords(field);
  if (required !== undefined) return required;
  const before: ValueWords =
    field.beforeUnknown === true
      ? { inlines: [text('only a hash')], complete: true }
      : sideWords(field, 'before');
  return { label: fieldInlines(field.pointer), before, after: sideWords(field, 'after') };
}

function sideWords(field: ReportField, side: 'before' | 'after'): ValueWords {
  const value = field[side];
  const other = field[side === 'before' ? 'after' : 'before'];
  if (field.pointer === '/source' && isObject(value)) return sourceWords(value);
  if (LIST_KEYWORD.test(field.pointer)) return listWords(value, other, side, field.pointer.endsWith('/type'));
  const schema =
    /^\/(?:inputSchema|outputSchema)/.test(field.pointer) &&
    (isObject(value) || SCHEMA_CLASS.test(field.class));
  if (!schema) return valueWords(value);
  const words = schemaWords(withoutDescription(value));
  if (value === undefined || field.class !== 'property-added-required') return words;
  return { ...words, inlines: [...words.inlines, text(', required')] };
}

/** `npm notes-mcp 1.2.0`: what a server is, from its source. */
function sourceWords(source: JsonObject): ValueWords {
  const parts = ['kind', 'package', 'url', 'path', 'version', 'requested'].map(
    (key) => stringMember(source, key) ?? '',
  );
  const words = [stringMember(source, 'type') ?? '', ...parts].filter((part) => part !== '');
  return { inlines: [code(words.join(' '))], complete: own(source, 'via') === undefined };
}

/** `required-added` with a name: parameter `name`, optional, required. Undefined for other fields. */
export function requiredWords(
  field: ReportField,
): (ReturnType<typeof fieldWords> & { name: string }) | undefined {
  const parameter =
    field.class === 'required-added'
      ? field.after
      : field.class === 'required-removed'
        ? field.before
        : undefined;
  if (typeof parameter !== 'string' || !/\/required(?:\/\d+)?$/.test(field.pointer)) return undefined;
  const holder = field.pointer.replace(/\/required(?:\/\d+)?$/, '');
  const place = fieldPlace(holder);
  const output = holder.startsWith('/outputSchema');
  const nested = place.holder !== '';
  if (place.keyword !== '' || parameter.length > CELL_TEXT) return undefined;
  const words = (required: boolean): ValueWords => ({
    inlines: [
      text(required ? (output ? 'always there' : 'required') : output ? 'not always there' : 'optional'),
    ],
    complete: true,
  });
  return {
    name: parameter,
    label: [text(output ? 'output ' : 'parameter '), code(nested ? `${place.path}.${parameter}` : parameter)],
    before: words(field.class === 'required-removed'),
    after: words(field.class === 'required-added'),
  };
}
