import type { CapabilityRecord, LockedServer } from '../lock/types.ts';
import { append } from '../util/append.ts';
import { isObject, type Json, type JsonObject, own, pointer } from '../util/json.ts';
import { finding, placed } from './finding.ts';
import type { FindingKind, Rule, SchemaContext, ServerView, TextRole } from './rule.ts';
import { type SkillPart, weighSkillText } from './skill-texts.ts';
import { createTextSearch, type TextMatch, type TextSearch } from './text-search.ts';
import type { Finding } from './types.ts';
import { uiPages } from './ui-body.ts';
import { createUiSearch, type UiSearch } from './ui-texts.ts';
import { schemasOf, walkTexts } from './walk.ts';

/** One thing that a server shows, as rules look at it. */
export interface Capability {
  kind: FindingKind;
  name: string;
  record: CapabilityRecord;
  definition?: Json;
}

const LISTS = [
  ['tools', 'tool'],
  ['prompts', 'prompt'],
  ['resources', 'resource'],
  ['resourceTemplates', 'resourceTemplate'],
  ['skills', 'skill'],
] as const;

/** All that a server shows; instructions first. */
export function* capabilitiesOf(server: LockedServer): Generator<Capability> {
  const { instructions } = server;
  if (instructions?.text !== undefined)
    yield {
      kind: 'instructions',
      name: '',
      record: { hash: '', extra: {} },
      definition: { text: instructions.text },
    };
  for (const [list, kind] of LISTS) {
    for (const [name, record] of server[list] ?? [])
      yield { kind, name, record, ...(record.definition ? { definition: record.definition } : {}) };
  }
}

/** Runs the rules over single capabilities; what it remembers of texts is worth keeping for a whole run. */
export class CapabilitySearch {
  /** Findings that only smell: they raise nothing. */
  readonly faints = new Set<Finding>();
  private readonly rules: readonly Rule[];
  private readonly search: TextSearch;
  private readonly searchUi: UiSearch;

  constructor(rules: readonly Rule[]) {
    this.rules = rules;
    this.search = createTextSearch(rules);
    this.searchUi = createUiSearch(rules);
  }

  findIn(capability: Capability, view: ServerView): Finding[] {
    const { name, record, definition } = capability;
    return [
      // Without its text, a name is all that a lock of hashes holds.
      ...this.inTexts(capability, view, definition ?? { name }, ''),
      ...(record.meta === undefined ? [] : this.inTexts(capability, view, record.meta, '/_meta')),
      ...this.inFiles(capability, view),
      ...(record.content === undefined ? [] : this.inContent(capability, view, record.content)),
      ...this.byShape(capability, view),
    ];
  }

  private inTexts(
    { kind, name }: Capability,
    view: ServerView,
    value: Json,
    base: string,
    role?: TextRole,
  ): Finding[] {
    const found: Finding[] = [];
    for (const walked of walkTexts(value, base, role)) {
      const matches = this.search(walked, kind, name, view);
      const long = kind === 'skill' && !walked.isKey && !walked.pointer.startsWith('/frontmatter');
      const weighed: readonly (TextMatch & { faint?: boolean })[] = long
        ? weighSkillText(walked.text, matches, partOf(walked.pointer, role))
        : matches;
      for (const { rule, hit, faint } of weighed) {
        const severity = faint ? 'low' : hit.severity;
        const place = { ...hit, severity, pointer: walked.pointer, shown: walked.text };
        const one = finding(rule, place, walked.isKey ? 'name' : 'text', view.key, kind, name);
        if (faint) this.faints.add(one);
        found.push(one);
      }
    }
    return found;
  }

  private inFiles(capability: Capability, view: ServerView): Finding[] {
    const found: Finding[] = [];
    for (const [path, { text }] of capability.record.files ?? []) {
      if (text === undefined) continue;
      const role = isRead(path) ? 'prose' : 'value';
      append(found, this.inTexts(capability, view, text, pointer('files', path), role));
    }
    return found;
  }

  /** In the pages of a UI resource, of which a lock has only the hash. */
  private inContent({ kind, name }: Capability, view: ServerView, content: JsonObject): Finding[] {
    const found: Finding[] = [];
    for (const page of uiPages(content)) {
      for (const { rule, hit, text } of this.searchUi(page, name, view))
        found.push(
          finding(rule, { ...hit, pointer: page.pointer, shown: text }, 'page', view.key, kind, name),
        );
      for (const rule of this.rules)
        if (rule.on === 'ui')
          for (const hit of rule.match(page)) {
            const one = finding(rule, hit, 'page', view.key, kind, name);
            // Many pages of good servers do both.
            if (one.severity === 'low') this.faints.add(one);
            found.push(one);
          }
    }
    return found;
  }

  private byShape({ kind, name, record, definition }: Capability, view: ServerView): Finding[] {
    const found: Finding[] = [];
    const object = isObject(definition) ? definition : {};
    const schema: SchemaContext = { definition: object, schemas: schemasOf(object), kind, name };
    for (const rule of this.rules) {
      if (rule.on === 'schema' && kind !== 'instructions' && kind !== 'skill')
        for (const hit of rule.match(schema)) found.push(placed(rule, hit, view.key, kind, name));
      if (rule.on === 'skill' && kind === 'skill') {
        const body = own(object, 'body');
        const frontmatter = own(object, 'frontmatter');
        const skill = { name, record, frontmatter, body: typeof body === 'string' ? body : '' };
        for (const hit of rule.match(skill)) found.push(placed(rule, hit, view.key, kind, name));
      }
    }
    return found;
  }
}

function partOf(at: string, role: TextRole | undefined): SkillPart {
  return at === '/body' ? 'body' : role === 'value' ? 'code' : 'document';
}

/** Files of a skill that a model reads; others are code and data. */
function isRead(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc)$/i.test(path);
}
