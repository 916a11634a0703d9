import { type Inline, name, text } from './document.ts';
import type { ReportFinding } from './model.ts';
import { fieldInlines } from './words.ts';

/** Rules that a title names. */
const NAMED = 3;

/** The findings that {@link findingInlines} names: the first of each rule, three rules. */
export function namedFindings(findings: readonly ReportFinding[]): ReportFinding[] {
  return firstOfEach(findings).slice(0, NAMED);
}

/** Findings of one capability in words: `description` reads secret files (AG-TP-002), keeps it from the user (AG-TP-001). */
export function findingInlines(findings: readonly ReportFinding[]): Inline[] {
  let place: string | undefined;
  const out = namedFindings(findings).flatMap((finding, index): Inline[] => {
    const clause = findingClause(finding);
    const same = clause !== undefined && place === finding.pointer;
    place = clause === undefined ? undefined : finding.pointer;
    return [
      text(index === 0 ? '' : same ? ', ' : '; '),
      ...(clause === undefined
        ? [name(finding.message.replace(/\.$/, ''))]
        : [...(same ? [] : placeInlines(finding.pointer)), name(clause)]),
      text(' ('),
      name(finding.rule),
      text(')'),
    ];
  });
  const more = firstOfEach(findings).length - NAMED;
  return more > 0 ? [...out, text(` and ${more} more ${more === 1 ? 'finding' : 'findings'}`)] : out;
}

/**
 * What a finding says of its place, without the place: `asks the model to …`, for a message that is made as `findings/`
 * makes it, `The text at /description asks the model to ….`; undefined for any other.
 */
export function findingClause({ message, pointer }: ReportFinding): string | undefined {
  for (const subject of ['text', 'name', 'value', 'page', 'declaration']) {
    const start = `The ${subject} at ${pointer} `;
    if (message.startsWith(start)) return message.slice(start.length).replace(/\.$/, '');
  }
  return undefined;
}

/** The text of server instructions has no other place. */
function placeInlines(pointer: string): Inline[] {
  return pointer === '' || pointer === '/text' ? [] : [...fieldInlines(pointer), text(' ')];
}

function firstOfEach(findings: readonly ReportFinding[]): ReportFinding[] {
  const first = new Map<string, ReportFinding>();
  for (const finding of findings) if (!first.has(finding.rule)) first.set(finding.rule, finding);
  return [...first.values()];
}
