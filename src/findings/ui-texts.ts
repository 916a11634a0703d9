import type { Rule, ServerView } from './rule.ts';
import { createTextSearch, type TextMatch } from './text-search.ts';
import { type UiPage, uiTexts } from './ui-body.ts';

/** A match with the text of the page that it stands in. */
export interface UiMatch extends TextMatch {
  text: string;
}

export type UiSearch = (page: UiPage, name: string, view: ServerView) => UiMatch[];

/** What a page is made of: comments and blanks are layout there, and tags are no pseudo-tags. */
const LAYOUT: ReadonlySet<string> = new Set(['AG-TP-007', 'AG-TP-016', 'AG-TP-017', 'AG-TP-018']);

/** What no message of an honest program says to a model. Other words of a bundle are those of its libraries. */
const IN_SCRIPTS: ReadonlySet<string> = new Set([
  'AG-TP-001',
  'AG-TP-002',
  'AG-TP-003',
  'AG-TP-004',
  'AG-TP-005',
  'AG-TP-006',
  'AG-TP-009',
  'AG-TP-011',
]);

const SECRETS: ReadonlySet<string> = new Set(['AG-SC-001', 'AG-SC-002']);

/** Runs the text rules over what pages of UI resources say; those for credentials over all that they hold. */
export function createUiSearch(rules: readonly Rule[]): UiSearch {
  const only = (keep: (rule: string) => boolean) => createTextSearch(rules.filter(({ id }) => keep(id)));
  const searches = {
    markup: only((rule) => !SECRETS.has(rule) && !LAYOUT.has(rule)),
    script: only((rule) => IN_SCRIPTS.has(rule)),
    secrets: only((rule) => SECRETS.has(rule)),
  };
  return (page, name, view) => {
    const look = (part: keyof typeof searches, text: string): UiMatch[] =>
      searches[part](
        { pointer: page.pointer, text, role: 'prose', isKey: false },
        'resource',
        name,
        view,
      ).map((match) => ({ ...match, text }));
    return [...uiTexts(page).flatMap(({ part, text }) => look(part, text)), ...look('secrets', page.text)];
  };
}
