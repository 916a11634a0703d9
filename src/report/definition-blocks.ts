import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointerTokens, setOwn } from '../util/json.ts';
import { type Block, code, details, type Inline, name, type TableColumn, text } from './document.ts';
import { type ChangeStyle, diffFence } from './field-blocks.ts';
import type { ReportChange } from './model.ts';
import { outline, proseOf } from './outline.ts';
import { signed, wrapLines } from './text-lines.ts';
import { schemaWords, withoutDescription } from './value-words.ts';
import { stringMember } from './words.ts';

/** Parameter texts longer than this go above their table. */
const PARAMETER_TEXT = 240;
/** Other members with more lines than this are folded, but for the sentences in them. */
const OTHER_LINES = 12;

/** The definition of an added capability, put together from its fields; undefined when they do not hold it. */
export function definitionOf(change: ReportChange): JsonObject | undefined {
  const whole = change.fields.find((field) => field.pointer === '');
  if (whole !== undefined) return isObject(whole.after) ? whole.after : undefined;
  const definition: JsonObject = {};
  for (const field of change.fields) {
    const [member, inner, ...deeper] = pointerTokens(field.pointer);
    if (member === undefined || deeper.length > 0 || field.after === undefined) return undefined;
    if (inner === undefined) setOwn(definition, member, field.after);
    else {
      // `/annotations/readOnlyHint` and its like.
      const holder = own(definition, member) ?? {};
      if (!isObject(holder)) return undefined;
      setOwn(holder, inner, field.after);
      setOwn(definition, member, holder);
    }
  }
  return Object.keys(definition).length === 0 ? undefined : definition;
}

/** Members that have their own place. */
const SHOWN = new Set([
  'name',
  'description',
  'inputSchema',
  'outputSchema',
  'text',
  'body',
  'uri',
  'uriTemplate',
  'icons',
]);

/** A capability that nobody has reviewed: its texts, its parameters, and every other member. */
export function definitionBlocks(definition: JsonObject, style: ChangeStyle): Block[] {
  const lines: string[] = [];
  const exact: string[] = [];
  const add = (title: string, body: string): void => {
    if (body === '') return;
    if (title !== 'text') lines.push(`@@ ${title} @@`);
    append(lines, signed('+', wrapLines(body, style.width)));
  };
  const fold = (value: Json, prefix: string): void => {
    append(exact, signed('+', wrapLines(outline(value, prefix), style.width)));
  };
  for (const member of ['description', 'text', 'body']) {
    const value = own(definition, member);
    // The line feed at a text's end would be an empty line.
    if (typeof value === 'string') add(member, value.replace(/\n$/, ''));
    else if (value !== undefined) add(member, outline(value));
  }
  const input = own(definition, 'inputSchema');
  const table = input === undefined ? undefined : parameterTable(input, add, fold);
  const output = own(definition, 'outputSchema');
  if (output !== undefined) {
    add('output', proseOf(output));
    fold(output, 'outputSchema');
  }
  const icons = own(definition, 'icons');
  if (icons !== undefined) fold(icons, 'icons');
  const other: string[] = [];
  for (const member of Object.keys(definition)) {
    const value = definition[member];
    if (SHOWN.has(member) || value === undefined) continue;
    const whole = outline(value, member);
    if (whole.split('\n').length <= OTHER_LINES) other.push(whole);
    else {
      other.push(proseOf(value, member));
      fold(value, member);
    }
  }
  add('other fields', other.filter((one) => one !== '').join('\n'));
  const blocks: Block[] = [];
  if (lines.length > 0) blocks.push(diffFence(lines, style));
  if (table !== undefined) blocks.push(table);
  if (exact.length > 0)
    blocks.push(details([text('Exactly: schemas and nested fields')], [diffFence(exact, style)]));
  return blocks;
}

const PARAMETER_COLUMNS: TableColumn[] = [
  { title: 'parameter' },
  { title: 'type' },
  { title: 'required', align: 'center' },
  { title: 'text' },
];

/** The parameters as a table; whatever of the schema it cannot hold goes to `add` (sentences) and `fold` (the rest). */
function parameterTable(
  input: Json,
  add: (title: string, body: string) => void,
  fold: (value: Json, prefix: string) => void,
): Block | undefined {
  const properties = isObject(input) ? own(input, 'properties') : undefined;
  if (!isObject(input) || !isObject(properties) || Object.keys(properties).length === 0) {
    if (!isEmptySchema(input)) add('input', outline(input, 'inputSchema'));
    return undefined;
  }
  const required = own(input, 'required');
  const requiredNames = new Set(Array.isArray(required) ? required : []);
  let whole = true;
  const rows = Object.keys(properties).map((key): Inline[][] => {
    const schema = properties[key] ?? null;
    const words = schemaWords(withoutDescription(schema));
    const description = stringMember(schema, 'description');
    const long =
      description !== undefined && (description.length > PARAMETER_TEXT || description.includes('\n'));
    const prose = words.complete ? '' : proseOf(withoutDescription(schema));
    if (!words.complete) whole = false;
    add(`parameter ${key}`, [long ? (description ?? '') : '', prose].filter((one) => one !== '').join('\n'));
    return [
      [code(key)],
      words.inlines,
      [text(requiredNames.has(key) ? 'yes' : '')],
      description === undefined || description === ''
        ? [text('')]
        : long
          ? [text('above')]
          : [name(description)],
    ];
  });
  const rest: JsonObject = {};
  for (const key of Object.keys(input)) {
    const value = input[key];
    if (value === undefined || key === 'properties' || isPlainMember(key, value)) continue;
    const named = (item: Json): boolean => typeof item === 'string' && Object.hasOwn(properties, item);
    if (key === 'required' && Array.isArray(value) && value.every(named)) continue;
    setOwn(rest, key, value);
  }
  if (Object.keys(rest).length > 0) {
    const lines = outline(rest);
    if (lines.split('\n').length <= OTHER_LINES) add('input', lines);
    else {
      add('input', proseOf(rest));
      whole = false;
    }
  }
  if (!whole) fold(input, 'inputSchema');
  return { kind: 'table', columns: PARAMETER_COLUMNS, rows };
}

function isEmptySchema(input: Json): boolean {
  if (!isObject(input)) return false;
  return Object.keys(input).every((key) => {
    const value = input[key] ?? null;
    return (
      isPlainMember(key, value) ||
      (key === 'properties' && isObject(value) && Object.keys(value).length === 0)
    );
  });
}

/** Members that every generated object schema has and that say nothing. */
function isPlainMember(key: string, value: Json): boolean {
  return (
    (key === 'type' && value === 'object') ||
    (key === 'additionalProperties' && value === false) ||
    (key === '$schema' &&
      typeof value === 'string' &&
      /^https?:\/\/json-schema\.org\/[\w/.-]{1,40}#?$/.test(value))
  );
}
