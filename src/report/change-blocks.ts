import { isObject, type Json, type JsonObject, own, pointerTokens, setOwn } from '../util/json.ts';
import {
  type Block,
  code,
  type Inline,
  joined,
  name,
  paragraph,
  strong,
  type TableColumn,
  text,
} from './document.ts';
import type { ReportChange, ReportField, ReportFinding } from './model.ts';
import { diffLines } from './text-diff.ts';
import { capped, signed, wrapLines } from './text-lines.ts';
import {
  listWords,
  outline,
  schemaWords,
  type ValueWords,
  valueWords,
  withoutDescription,
} from './value-words.ts';
import {
  changePhrase,
  fieldInlines,
  fieldText,
  KIND_WORDS,
  severityWords,
  stringMember,
  worstFirst,
} from './words.ts';

/** How a change is drawn. */
export interface ChangeStyle {
  /** Heads of the two columns: `reviewed`, `now`. */
  before: string;
  after: string;
  /** Longest fence, in lines. */
  maxLines: number;
}

/** Texts longer than this, or of several lines, are shown as a diff and not in a cell. */
const CELL_TEXT = 80;
/** Parameter texts longer than this go below their table. */
const PARAMETER_TEXT = 240;

const WHOLE = 'the whole text is in the report';

/** The findings that concern this capability and are not suppressed. */
export function findingsOf(change: ReportChange, findings: ReportFinding[]): ReportFinding[] {
  return findings.filter(
    (finding) =>
      finding.suppressed === null &&
      finding.server === change.server &&
      finding.kind === change.kind &&
      finding.name === change.name,
  );
}

/** `move_file · 🔴 high · a hint that clients use for auto-approval was loosened`. */
export function changeTitle(change: ReportChange, findings: ReportFinding[]): Inline[] {
  const kind = KIND_WORDS[change.kind]?.one ?? '';
  const label: Inline[] =
    change.kind === 'instructions' || change.kind === 'server'
      ? [strong(text(change.kind === 'server' ? 'server' : 'server instructions'))]
      : [
          ...(change.kind === 'tool' ? [] : [text(`${kind} `)]),
          { kind: 'code', text: change.name, strong: true },
        ];
  const from: Inline[] =
    change.change === 'renamed' && change.from !== undefined ? [text(' was '), code(change.from)] : [];
  return [
    ...label,
    ...from,
    text(` · ${severityWords(change.severity)} · ${changePhrase(change)}`),
    ...findings
      .slice(0, 3)
      .flatMap((finding) => [text(' · '), name(finding.rule), text(': '), name(finding.message)]),
  ];
}

/** Everything about a change: its title, a diff of its texts, a table of its other fields. */
export function changeBlocks(change: ReportChange, findings: ReportFinding[], style: ChangeStyle): Block[] {
  const title = paragraph(...changeTitle(change, findings));
  if (change.kind === 'server' && (change.change === 'added' || change.change === 'removed')) return [title];
  const definition = change.change === 'added' ? definitionOf(change) : undefined;
  if (definition !== undefined) return [title, ...definitionBlocks(definition, style)];
  return [title, ...fieldBlocks(change.fields, style)];
}

/** The title and the names of the fields alone. */
export function briefBlocks(change: ReportChange, findings: ReportFinding[]): Block[] {
  const fields = worstFirst(change.fields);
  if (fields.length === 0 || change.change === 'added' || change.change === 'removed')
    return [paragraph(...changeTitle(change, findings))];
  return [
    paragraph(
      ...changeTitle(change, findings),
      text(' · fields: '),
      ...joined(
        fields.slice(0, 12).map((field) => fieldInlines(field.pointer)),
        ', ',
      ),
      ...(fields.length > 12 ? [text(` and ${fields.length - 12} more`)] : []),
    ),
  ];
}

/** Fields as one `diff` fence for texts and one table for the rest. */
export function fieldBlocks(fields: ReportField[], style: ChangeStyle): Block[] {
  const lines: string[] = [];
  const rows: Inline[][][] = [];
  let unknown = 0;
  for (const field of worstFirst(fields)) {
    if (field.beforeUnknown === true) unknown++;
    if (isText(field)) {
      lines.push(`@@ ${fieldText(field.pointer)} @@`, ...textLines(field));
      continue;
    }
    const before: ValueWords =
      field.beforeUnknown === true
        ? { inlines: [text('only a hash')], complete: true }
        : sideWords(field, 'before');
    const after = sideWords(field, 'after');
    rows.push([fieldInlines(field.pointer), before.inlines, after.inlines]);
    if (!before.complete || !after.complete)
      lines.push(
        `@@ ${fieldText(field.pointer)} @@`,
        ...diffLines(
          field.before === undefined ? '' : outline(field.before),
          field.after === undefined ? '' : outline(field.after),
        ).filter((line) => line !== '-' && line !== '+'),
      );
  }
  const blocks: Block[] = [];
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
  const diff: Block[] =
    lines.length === 0
      ? []
      : [{ kind: 'fence', info: 'diff', text: capped(lines, style.maxLines, WHOLE).join('\n') }];
  blocks.push(...(worstIsText(fields) ? [...diff, ...table] : [...table, ...diff]));
  if (unknown > 0)
    blocks.push(
      paragraph(
        text(
          'The lock holds only hashes of the reviewed text. To see full diffs from now on, run the lock command below once.',
        ),
      ),
    );
  return blocks;
}

function worstIsText(fields: ReportField[]): boolean {
  const worst = worstFirst(fields)[0];
  return worst !== undefined && isText(worst);
}

/** A field whose words are read, and not compared as values. */
function isText(field: ReportField): boolean {
  const sides = [field.before, field.after].filter((side) => side !== undefined);
  if (sides.length === 0 || !sides.every((side) => typeof side === 'string')) return false;
  if (/^(?:text-|whitespace-only|encoding-only)/.test(field.class)) return true;
  return sides.some((side) => typeof side === 'string' && (side.length > CELL_TEXT || side.includes('\n')));
}

function textLines(field: ReportField): string[] {
  const { before, after } = field;
  if (typeof after === 'string' && typeof before === 'string') return diffLines(before, after);
  if (typeof after === 'string') return signed(field.beforeUnknown === true ? ' ' : '+', wrapLines(after));
  return typeof before === 'string' ? signed('-', wrapLines(before)) : [];
}

const SCHEMA_CLASS = /^(?:property-|composition-|schema-changed|output-schema-changed|ref-)/;
const LIST_KEYWORD = /\/(?:enum|required|type)$/;

function sideWords(field: ReportField, side: 'before' | 'after'): ValueWords {
  const value = field[side];
  const other = field[side === 'before' ? 'after' : 'before'];
  if (LIST_KEYWORD.test(field.pointer)) return listWords(value, other, side);
  const schema =
    /^\/(?:inputSchema|outputSchema)/.test(field.pointer) &&
    (isObject(value) || SCHEMA_CLASS.test(field.class));
  return schema ? schemaWords(value) : valueWords(value);
}

/** The definition of an added capability, put together from its fields; undefined when they do not hold it. */
export function definitionOf(change: ReportChange): JsonObject | undefined {
  const whole = change.fields.find((field) => field.pointer === '');
  if (whole !== undefined) return isObject(whole.after) ? whole.after : undefined;
  const definition: JsonObject = {};
  for (const field of change.fields) {
    const [member, ...deeper] = pointerTokens(field.pointer);
    if (member === undefined || deeper.length > 0 || field.after === undefined) return undefined;
    setOwn(definition, member, field.after);
  }
  return Object.keys(definition).length === 0 ? undefined : definition;
}

/** Members that have their own place below. */
const SHOWN = new Set(['name', 'description', 'inputSchema', 'text', 'uri', 'uriTemplate']);

/** A capability that nobody has reviewed: its description, its parameters, and all other members. */
export function definitionBlocks(definition: JsonObject, style: ChangeStyle): Block[] {
  const lines: string[] = [];
  const description = own(definition, 'description') ?? own(definition, 'text');
  if (typeof description === 'string') lines.push(...signed('+', wrapLines(description)));
  else if (description !== undefined)
    lines.push(...signed('+', wrapLines(outline(description, 'description'))));
  const input = own(definition, 'inputSchema');
  const parameters = parameterTable(input);
  lines.push(...parameters.lines);
  for (const member of Object.keys(definition)) {
    const value = definition[member];
    if (SHOWN.has(member) || value === undefined) continue;
    lines.push(...signed('+', wrapLines(outline(value, member))));
  }
  const blocks: Block[] = [];
  if (lines.length > 0)
    blocks.push({ kind: 'fence', info: 'diff', text: capped(lines, style.maxLines, WHOLE).join('\n') });
  blocks.push(...parameters.blocks);
  return blocks;
}

const PARAMETER_COLUMNS: TableColumn[] = [
  { title: 'parameter' },
  { title: 'type' },
  { title: 'required', align: 'center' },
  { title: 'text' },
];

/** The parameters as a table, and as lines whatever of the schema the table cannot show. */
function parameterTable(input: Json | undefined): { blocks: Block[]; lines: string[] } {
  if (input === undefined) return { blocks: [], lines: [] };
  const properties = isObject(input) ? own(input, 'properties') : undefined;
  if (!isObject(input) || !isObject(properties) || Object.keys(properties).length === 0)
    return {
      blocks: [],
      lines: isEmptySchema(input) ? [] : signed('+', wrapLines(outline(input, 'inputSchema'))),
    };
  const lines: string[] = [];
  const required = own(input, 'required');
  const requiredNames = new Set(Array.isArray(required) ? required : []);
  const rows = Object.keys(properties).map((key): Inline[][] => {
    const schema = properties[key];
    const words = schemaWords(withoutDescription(schema));
    const description = stringMember(schema, 'description');
    const long =
      description !== undefined && (description.length > PARAMETER_TEXT || description.includes('\n'));
    if (schema !== undefined && (!words.complete || long))
      lines.push(
        ...signed('+', wrapLines(outline(words.complete ? { description: description ?? '' } : schema, key))),
      );
    return [
      [code(key)],
      words.inlines,
      [text(requiredNames.has(key) ? 'yes' : '')],
      description === undefined ? [text('')] : long ? [text('above')] : [name(description)],
    ];
  });
  for (const key of Object.keys(input)) {
    const value = input[key];
    if (value === undefined || key === 'properties' || isPlainMember(key, value)) continue;
    if (
      key === 'required' &&
      Array.isArray(value) &&
      value.every((item) => typeof item === 'string' && Object.hasOwn(properties, item))
    )
      continue;
    lines.push(...signed('+', wrapLines(outline(value, `inputSchema.${key}`))));
  }
  return { blocks: [{ kind: 'table', columns: PARAMETER_COLUMNS, rows }], lines };
}

function isEmptySchema(input: Json): boolean {
  return (
    isObject(input) &&
    Object.keys(input).every(
      (key) =>
        isPlainMember(key, input[key] ?? null) ||
        (key === 'properties' && isObject(input[key]) && Object.keys(input[key]).length === 0),
    )
  );
}

/** Members that every generated object schema has and that say nothing. */
function isPlainMember(key: string, value: Json): boolean {
  return (
    (key === 'type' && value === 'object') ||
    (key === 'additionalProperties' && value === false) ||
    (key === '$schema' &&
      typeof value === 'string' &&
      /^https?:\/\/json-schema\.org\/[\w/.-]+#?$/.test(value))
  );
}
