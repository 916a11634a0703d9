import { code, type Inline, strong, text } from './document.ts';
import { findingInlines } from './finding-words.ts';
import type { ReportChange, ReportFinding } from './model.ts';
import { changePhrase, KIND_WORDS, severityWords } from './words.ts';

/** What a change is about: `move_file`, prompt `plan`, server instructions. */
export function aboutInlines(change: Pick<ReportChange, 'kind' | 'name'>): Inline[] {
  if (change.kind === 'server') return [strong(text('server'))];
  if (change.kind === 'instructions') return [strong(text('server instructions'))];
  const kind = change.kind === 'tool' ? [] : [text(`${KIND_WORDS[change.kind]?.one ?? ''} `)];
  return [...kind, { kind: 'code', text: change.name, strong: true }];
}

/** `move_file · 🔴 high · the tool now says that it can destroy data`. */
export function changeTitle(change: ReportChange, findings: ReportFinding[]): Inline[] {
  const from =
    change.change === 'renamed' && change.from !== undefined ? [text(', until now '), code(change.from)] : [];
  return [
    ...aboutInlines(change),
    ...from,
    text(` · ${severityWords(change.severity)} · `),
    ...(findings.length > 0 ? findingInlines(findings) : [text(changePhrase(change))]),
  ];
}
