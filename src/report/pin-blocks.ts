import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, setOwn } from '../util/json.ts';
import { aboutInlines } from './change-title.ts';
import { cappedParts } from './cut-lines.ts';
import { definitionOf } from './definition-blocks.ts';
import { type Block, type Inline, name, paragraph, strong, text } from './document.ts';
import type { ChangeStyle } from './field-blocks.ts';
import { findingInlines } from './finding-words.ts';
import { launchLine, launchVariables } from './launch-words.ts';
import type { ReportChange, ReportFinding } from './model.ts';
import { outline, proseOf } from './outline.ts';
import { FENCE_WIDTH, lineText, wrapLines } from './text-lines.ts';
import { schemaWords, withoutDescription } from './value-words.ts';
import { stringMember } from './words.ts';

/** What a tool is taken for when it gives no hint (MCP 2025-06-18, `ToolAnnotations`). */
const DEFAULT_HINTS: ReadonlyMap<string, boolean> = new Map([
  ['readOnlyHint', false],
  ['destructiveHint', true],
  ['idempotentHint', false],
  ['openWorldHint', true],
]);

/** Members that have their own place or say nothing to a model; the sentences of the output are shown. */
const TOLD = new Set([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'arguments',
  'execution',
  'icons',
  'uri',
  'uriTemplate',
  'text',
]);

/**
 * One capability of a new server as plain text: all that the model is told, a line for each parameter, the hints that
 * differ from what holds without them. Not the exact schemas.
 */
export function pinBlocks(change: ReportChange, findings: ReportFinding[], style: ChangeStyle): Block[] {
  if (change.kind === 'server') return launchBlocks(change, style);
  const definition = definitionOf(change);
  const title = definition === undefined ? undefined : stringMember(definition, 'title');
  const head = paragraph(
    ...aboutInlines(change),
    ...(title === undefined || title === '' || title === change.name ? [] : [text(' · '), name(title)]),
    ...(findings.length === 0 ? [] : [text(' · '), strong(...findingInlines(findings))]),
  );
  const parts = definition === undefined ? [] : definitionLines(definition, style.width);
  return parts.length === 0 ? [head] : [head, fence(parts, style)];
}

function fence(parts: string[][], style: ChangeStyle): Block {
  const shown = cappedParts(parts, style.maxLines, 'with --format json');
  return { kind: 'fence', info: 'text', text: shown.map(lineText).join('\n') };
}

function launchBlocks(change: ReportChange, style: ChangeStyle): Block[] {
  const launch = change.fields.find((field) => field.pointer === '/launch')?.after;
  const line = launchLine(launch);
  const variables = launchVariables(launch);
  const lines = [
    ...(line === undefined ? [] : wrapLines(`starts: ${line}`, style.width)),
    ...(variables.length === 0 ? [] : wrapLines(`is given: ${variables.join(', ')}`, style.width)),
  ];
  return lines.length === 0 ? [] : [fence([lines], style)];
}

/** Lines by what they are about: each text, each parameter. */
function definitionLines(definition: JsonObject, width = FENCE_WIDTH): string[][] {
  const parts: string[][] = [];
  for (const member of ['description', 'text']) {
    const value = own(definition, member);
    if (value !== undefined && value !== '')
      parts.push(wrapLines(typeof value === 'string' ? trimmed(value) : outline(value, member), width));
  }
  append(parts, [
    ...inputLines(own(definition, 'inputSchema'), width),
    ...argumentLines(own(definition, 'arguments'), width),
  ]);
  const output = proseOf(own(definition, 'outputSchema'));
  if (output !== '') parts.push(['returns:', ...indented(plainPaths(output), width)]);
  const hints = hintWords(own(definition, 'annotations'));
  if (hints !== '') parts.push(wrapLines(`hints: ${hints}`, width));
  for (const member of Object.keys(definition)) {
    const value = definition[member];
    if (!TOLD.has(member) && value !== undefined)
      parts.push(wrapLines(outline(value, member).trimEnd(), width));
  }
  return parts;
}

function inputLines(input: Json | undefined, width: number): string[][] {
  if (input === undefined) return [];
  const properties = isObject(input) ? own(input, 'properties') : undefined;
  if (!isObject(input) || (properties !== undefined && !isObject(properties)))
    return [wrapLines(outline(input, 'inputSchema'), width)];
  const required = own(input, 'required');
  const names = new Set(Array.isArray(required) ? required : []);
  const known = properties ?? {};
  const parts = Object.keys(known).map((key) =>
    parameterLines(key, known[key] ?? null, names.has(key), width),
  );
  const rest: JsonObject = {};
  for (const key of Object.keys(input)) {
    const value = input[key] ?? null;
    if (key === 'properties' || isPlumbing(key, value)) continue;
    if (key === 'required' && [...names].every((one) => typeof one === 'string' && Object.hasOwn(known, one)))
      continue;
    setOwn(rest, key, value);
  }
  const more = proseOf(rest, 'inputSchema');
  return more === '' ? parts : [...parts, wrapLines(plainPaths(more), width)];
}

/** `- place: string, required. Town or postcode.` */
function parameterLines(key: string, schema: Json, required: boolean, width: number): string[] {
  const words = schemaWords(withoutDescription(schema));
  const description = stringMember(schema, 'description') ?? '';
  const facts = `${plain(words.inlines)}${required ? ', required' : ''}`;
  const nested = words.complete ? '' : proseOf(withoutDescription(schema));
  return [
    ...item(`${key}: ${facts}${description === '' ? '' : `. ${description.trimEnd()}`}`, width),
    ...(nested === '' ? [] : indented(plainPaths(nested), width, '    ')),
  ];
}

/** Arguments of a prompt. */
function argumentLines(value: Json | undefined, width: number): string[][] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [wrapLines(outline(value, 'arguments'), width)];
  return value.map((argument) => {
    const key = stringMember(argument, 'name');
    if (!isObject(argument) || key === undefined) return item(outline(argument), width);
    const rest: JsonObject = {};
    for (const member of Object.keys(argument))
      if (!['name', 'description', 'required'].includes(member))
        setOwn(rest, member, argument[member] ?? null);
    const description = stringMember(argument, 'description') ?? '';
    const facts = own(argument, 'required') === true ? 'required' : 'optional';
    const more = Object.keys(rest).length === 0 ? '' : `\n${outline(rest)}`;
    return item(`${key}: ${facts}${description === '' ? '' : `. ${description.trimEnd()}`}${more}`, width);
  });
}

function hintWords(annotations: Json | undefined): string {
  if (annotations === undefined) return '';
  if (!isObject(annotations)) return outline(annotations);
  return Object.keys(annotations)
    .filter((key) => key !== 'title' && annotations[key] !== DEFAULT_HINTS.get(key))
    .map((key) => outline(annotations[key] ?? null, key).replaceAll('\n', ', '))
    .concat(typeof annotations.title === 'string' ? [`title: ${annotations.title}`] : [])
    .join(', ');
}

function item(words: string, width: number): string[] {
  return wrapLines(words, width - 4).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`.trimEnd());
}

function indented(words: string, width: number, by = '  '): string[] {
  return wrapLines(words, width - by.length).map((line) => `${by}${line}`.trimEnd());
}

/** Without the lines of white space that some texts begin and end with. */
function trimmed(words: string): string {
  return words.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

/** `items.from` for `properties.items.properties.from.description`, at the start of each line of an outline. */
function plainPaths(words: string): string {
  return words.replace(/^[\p{L}\p{N}_$.[\]-]+(?=: )/gmu, (path) =>
    path.replace(/(^|\.)properties\./g, '$1').replace(/(?<=.)\.description$/, ''),
  );
}

function plain(inlines: Inline[]): string {
  return inlines.map((one) => (one.kind === 'strong' ? plain(one.children) : one.text)).join('');
}

/** Members that every generated object schema has and that tell the model nothing. */
function isPlumbing(key: string, value: Json): boolean {
  return (
    (key === 'type' && value === 'object') ||
    (key === 'additionalProperties' && typeof value === 'boolean') ||
    (key === '$schema' && typeof value === 'string' && /^https?:\/\/json-schema\.org\//.test(value))
  );
}
