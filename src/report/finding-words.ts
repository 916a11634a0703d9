import { type Inline, name, plural, text } from './document.ts';
import type { ReportFinding } from './model.ts';
import { fieldInlines } from './words.ts';

/** Rules that a title names. */
const NAMED = 3;

/** The findings that {@link findingInlines} names: the first of each rule, three rules, and the one other place of these. */
export function namedFindings(findings: readonly ReportFinding[]): ReportFinding[] {
  const first = firstOfEach(findings).slice(0, NAMED);
  const others = elsewhere(first, findings);
  return isOnePlace(others) ? [...first, ...others] : first;
}

/**
 * Findings of one capability in words: `description` reads secret files (AG-TP-002), keeps it from the user (AG-TP-001);
 * also in parameter `note` `description`.
 */
export function findingInlines(findings: readonly ReportFinding[]): Inline[] {
  let place: string | undefined;
  const named = firstOfEach(findings).slice(0, NAMED);
  const out = named.flatMap((finding, index): Inline[] => {
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
  if (more > 0) out.push(text(` and ${more} more ${more === 1 ? 'finding' : 'findings'}`));
  return [...out, ...elsewhereInlines(elsewhere(named, findings))];
}

/** What the rules that are named found in places that are not. */
function elsewhere(named: readonly ReportFinding[], findings: readonly ReportFinding[]): ReportFinding[] {
  const rules = new Set(named.map(({ rule }) => rule));
  const told = new Set(named.map(({ pointer }) => pointer));
  return findings.filter(({ rule, pointer }) => rules.has(rule) && !told.has(pointer));
}

function isOnePlace(findings: readonly ReportFinding[]): boolean {
  return findings.length > 0 && new Set(findings.map(({ pointer }) => pointer)).size === 1;
}

function elsewhereInlines(others: readonly ReportFinding[]): Inline[] {
  const places = new Set(others.map(({ pointer }) => pointer));
  const [only] = places;
  if (only === undefined) return [];
  if (places.size > 1 || only === '') return [text(`; also in ${plural(places.size, 'other place')}`)];
  return [text('; also in '), ...fieldInlines(only)];
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
