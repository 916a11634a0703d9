import { grouped } from '../util/grouped.ts';
import { isObject, type Json, own, pointerTokens } from '../util/json.ts';
import { type SeverityName, severityRank } from './counts.ts';
import { code, type Inline, text } from './document.ts';
import { hintPhrase } from './hint-words.ts';
import type { ReportChange, ReportField } from './model.ts';

const DOT: Record<SeverityName, string> = {
  critical: '🔴',
  high: '🔴',
  medium: '🟠',
  low: '⚪',
  info: '⚪',
};

/** `🔴 high`. */
export function severityWords(severity: SeverityName): string {
  return `${DOT[severity]} ${severity}`;
}

export const KIND_WORDS: Record<string, { one: string; many: string }> = {
  tool: { one: 'tool', many: 'tools' },
  prompt: { one: 'prompt', many: 'prompts' },
  resource: { one: 'resource', many: 'resources' },
  resourceTemplate: { one: 'resource template', many: 'resource templates' },
  instructions: { one: 'instructions', many: 'instructions' },
  skill: { one: 'skill', many: 'skills' },
  server: { one: 'server', many: 'servers' },
  config: { one: 'config', many: 'configs' },
};

/** `3 tools`, `1 prompt`; `capabilities` when the kinds differ. */
export function kindCount(kinds: string[]): string {
  const kind = kinds.every((other) => other === kinds[0]) ? kinds[0] : undefined;
  const words = KIND_WORDS[kind ?? ''] ?? { one: 'capability', many: 'capabilities' };
  return `${grouped(kinds.length)} ${kinds.length === 1 ? words.one : words.many}`;
}

/** `12 tools, 1 prompt`, in the order in which the kinds come. */
export function kindCounts(kinds: readonly string[]): string {
  return [...new Set(kinds)].map((kind) => kindCount(kinds.filter((other) => other === kind))).join(', ');
}

/** What a class of change means for the reader, `DESIGN.md` §6. */
const CLASS_WORDS: Record<string, string> = {
  'text-changed': 'the model is told something else',
  'text-added': 'the model is told something new',
  'text-removed': 'a text for the model is gone',
  'whitespace-only': 'white space in a text changed',
  'property-added-optional': 'a new optional parameter',
  'property-added-required': 'a new required parameter',
  'property-removed': 'a parameter is gone',
  'required-added': 'a parameter became required',
  'required-removed': 'a parameter became optional',
  'type-widened': 'a parameter takes more types',
  'type-narrowed': 'a parameter takes fewer types',
  'type-changed': 'a parameter changed its type',
  'enum-widened': 'a parameter allows more values',
  'enum-narrowed': 'a parameter allows fewer values',
  'constraint-relaxed': 'a limit was relaxed',
  'constraint-tightened': 'a limit was tightened',
  'additional-properties-opened': 'unnamed parameters are now taken',
  'additional-properties-closed': 'unnamed parameters are no longer taken',
  'default-changed': 'a default value changed',
  'const-changed': 'a fixed value changed',
  'ref-changed': 'a schema reference changed',
  'format-changed': 'a format changed',
  'composition-changed': 'the choice between schemas changed',
  'schema-plumbing': 'generated parts of the schema changed',
  'schema-changed': 'the schema changed',
  'source-changed': 'another program stands behind this name',
  'launch-changed': 'the server is started differently',
  'hint-loosened': 'a hint that clients use for auto-approval changed',
  'hint-tightened': 'a hint that clients use for auto-approval was made stricter',
  'title-changed': 'the title that people see changed',
  'output-schema-changed': 'the described output changed',
  'meta-changed': 'metadata for the client changed',
  'icon-changed': 'an icon changed',
  'encoding-only': 'the same text in another Unicode form',
  unpinned: 'the lock no longer pins this: whatever the server shows there will pass',
  'field-changed': 'a field changed',
};

/** The fields, worst first; the order of equals is kept. */
export function worstFirst(fields: ReportField[]): ReportField[] {
  return [...fields].sort((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

/** What happened, from the worst fields alone: `the model is told something else`. */
export function worstPhrase(
  change: Pick<ReportChange, 'change' | 'kind' | 'fields'> & { accepted?: boolean },
): string {
  const what = KIND_WORDS[change.kind]?.one ?? 'capability';
  if (change.change === 'added')
    return change.kind === 'instructions'
      ? 'new server instructions, never reviewed'
      : `new ${what}, never reviewed`;
  if (change.change === 'removed') {
    if (change.kind === 'server')
      return change.accepted ? 'taken out of the lock' : 'in the lock, but no longer declared';
    return change.kind === 'instructions' ? 'gone' : `this ${what} is gone`;
  }
  const shown = worstPhrases(change.fields).join('; ');
  if (change.change === 'renamed') return shown === '' ? 'renamed' : `renamed; ${shown}`;
  return shown === '' ? 'changed' : shown;
}

/** {@link worstPhrase}, and how many smaller changes come with it. */
export function changePhrase(change: Pick<ReportChange, 'change' | 'kind' | 'fields'>): string {
  const phrase = worstPhrase(change);
  if (change.change === 'added' || change.change === 'removed') return phrase;
  const told = worstPhrases(change.fields);
  const others = change.fields.filter((field) => !told.includes(fieldPhrase(field))).length;
  return others === 0 ? phrase : `${phrase}; ${others} smaller ${others === 1 ? 'change' : 'changes'}`;
}

function worstPhrases(fields: ReportField[]): string[] {
  const ordered = worstFirst(fields);
  const worst = ordered[0]?.severity;
  return [...new Set(ordered.filter((field) => field.severity === worst).map(fieldPhrase))].slice(0, 2);
}

/** What one field's change means for the reader. */
export function fieldPhrase(field: Pick<ReportField, 'class' | 'pointer' | 'before' | 'after'>): string {
  if (field.pointer.startsWith('/files')) return filePhrase(field);
  if (field.pointer === '/content' && field.class === 'field-changed')
    return 'another page than was reviewed, of which the lock holds only size and hash';
  if (field.pointer === '/frontmatter/allowed-tools' && field.class === 'constraint-relaxed')
    return 'the skill may use more tools unasked';
  const hint = hintPhrase(field);
  if (hint !== undefined) return hint;
  const phrase =
    (Object.hasOwn(CLASS_WORDS, field.class) ? CLASS_WORDS[field.class] : undefined) ?? 'a field changed';
  return field.pointer.startsWith('/outputSchema')
    ? phrase.replace('a parameter', 'a field of the output')
    : phrase;
}

/** What happened to a file of a skill. */
function filePhrase(field: Pick<ReportField, 'class' | 'before' | 'after'>): string {
  if (field.class === 'ref-changed') return 'a link of the skill leads somewhere else';
  if (field.class === 'whitespace-only') return 'white space in a file of the skill changed';
  if (field.after === 'executable') return 'a file of the skill became executable';
  if (field.class === 'text-removed' || field.after === undefined) return 'a file of the skill is gone';
  if (field.class === 'text-added' || field.before === undefined) return 'the skill has a new file';
  return 'a file of the skill changed';
}

const SIMPLE_TOKEN = /^[\p{L}\p{N}_$-]+$/u;

function dotted(tokens: string[]): string {
  let out = '';
  for (const token of tokens) {
    if (/^\d+$/.test(token)) out += `[${token}]`;
    else if (SIMPLE_TOKEN.test(token)) out += out === '' ? token : `.${token}`;
    else out += `[${JSON.stringify(token)}]`;
  }
  return out;
}

/** The place of a field in words: what holds it, its path there, and the keyword. */
export interface FieldPlace {
  /** Our own words: `parameter`, `output`, or empty. */
  holder: string;
  /** Foreign: `comments[].path`. */
  path: string;
  /** Foreign: `enum`, or empty for the whole. */
  keyword: string;
}

/**
 * A JSON pointer in words: `/inputSchema/properties/comments/items/enum` is parameter `comments[]`, `enum`. Every
 * token of the pointer is in the result or follows from it.
 */
export function fieldPlace(pointer: string): FieldPlace {
  const tokens = pointerTokens(pointer);
  const [head, ...rest] = tokens;
  if (head === undefined) return { holder: '', path: 'definition', keyword: '' };
  if ((head !== 'inputSchema' && head !== 'outputSchema') || rest[0] !== 'properties' || rest.length < 2)
    return { holder: '', path: dotted(tokens), keyword: '' };
  let path = '';
  let index = 0;
  while (index < rest.length) {
    const token = rest[index];
    const next = rest[index + 1];
    if (token === 'properties' && next !== undefined) {
      path += SIMPLE_TOKEN.test(next) ? `${path === '' ? '' : '.'}${next}` : `[${JSON.stringify(next)}]`;
      index += 2;
    } else if (token === 'items' && (next === undefined || !/^\d+$/.test(next))) {
      path += '[]';
      index++;
    } else break;
  }
  return {
    holder: head === 'inputSchema' ? 'parameter' : 'output',
    path,
    keyword: dotted(rest.slice(index)),
  };
}

/** {@link fieldPlace} as spans. */
export function fieldInlines(pointer: string): Inline[] {
  const place = fieldPlace(pointer);
  return [
    ...(place.holder === '' ? [] : [text(`${place.holder} `)]),
    code(place.path),
    ...(place.keyword === '' ? [] : [text(' '), code(place.keyword)]),
  ];
}

/** {@link fieldPlace} as one plain line, for fences and terminals. Foreign. */
export function fieldText(pointer: string): string {
  const place = fieldPlace(pointer);
  return [place.holder, place.path, place.keyword].filter((part) => part !== '').join(' ');
}

/** An own member that is a string. */
export function stringMember(value: Json | undefined, member: string): string | undefined {
  if (!isObject(value)) return undefined;
  const found = own(value, member);
  return typeof found === 'string' ? found : undefined;
}
