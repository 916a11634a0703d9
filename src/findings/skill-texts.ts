import type { TextMatch } from './text-search.ts';

/**
 * Rules whose match says enough by itself, in a text of any length. Wording is not among them: a skill is a document
 * that tells an agent what to do, often of many pages, and single phrases of every kind turn up in honest ones.
 */
const PRECISE: ReadonlySet<string> = new Set([
  'AG-SC-001',
  'AG-SC-002',
  'AG-TP-014',
  'AG-TP-015',
  'AG-TP-016',
]);

/** Those of them that code and data files of a skill are searched for. */
const IN_CODE: ReadonlySet<string> = new Set(['AG-SC-001', 'AG-SC-002', 'AG-TP-015', 'AG-TP-016']);

/** What no honest `SKILL.md` asks for in plain words; inside of a code fence it may be an example. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(['AG-TP-002', 'AG-TP-003', 'AG-TP-004']);

/** Rules for what a text wants; two of them side by side are more than a phrase. */
const WANTS: ReadonlySet<string> = new Set([
  'AG-TP-001',
  'AG-TP-002',
  'AG-TP-003',
  'AG-TP-004',
  'AG-TP-006',
  'AG-TP-009',
  'AG-TP-010',
  'AG-TP-011',
  'AG-TP-019',
  'AG-TP-020',
  'AG-SH-005',
  'AG-SH-007',
]);

/** Characters between two matches that belong together: a few sentences. */
const NEAR = 300;

/** The body of its `SKILL.md`, a document beside it, or a file that no model is given to read. */
export type SkillPart = 'body' | 'document' | 'code';

export interface WeighedMatch extends TextMatch {
  /** Alone it only smells: low, and it raises nothing. */
  faint: boolean;
}

/**
 * What the matches in one text of a skill weigh. A BOM at the start is no hidden character in a file.
 */
export function weighSkillText(text: string, matches: readonly TextMatch[], part: SkillPart): WeighedMatch[] {
  const code = part === 'code';
  const kept = matches.filter(({ rule, hit }) => {
    if (rule.id === 'AG-TP-015' && hit.start === 0 && hit.end === 1) return false;
    return !code || IN_CODE.has(rule.id);
  });
  const fences = code ? [] : fencedParts(text);
  const wants = kept.filter(
    ({ rule, hit }) =>
      WANTS.has(rule.id) && !fences.some(([start, end]) => hit.end > start && hit.start < end),
  );
  return kept.map((match) => {
    const { rule } = match;
    const confirmed =
      wants.includes(match) &&
      ((part === 'body' && PLAIN_WORDS.has(rule.id)) || wants.some((other) => standTogether(match, other)));
    return { ...match, faint: !PRECISE.has(rule.id) && !confirmed };
  });
}

/** Two matches of different rules in different words, close together. */
function standTogether({ rule, hit }: TextMatch, other: TextMatch): boolean {
  if (other.rule.id === rule.id) return false;
  const gap = Math.max(other.hit.start - hit.end, hit.start - other.hit.end);
  return gap >= 0 && gap <= NEAR;
}

/** Offsets of fenced code blocks (CommonMark): examples of what to type, as a rule. */
function fencedParts(text: string): [number, number][] {
  const parts: [number, number][] = [];
  let open: { start: number; fence: string } | undefined;
  for (const match of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    const [, fence = '', info = ''] = match;
    if (open === undefined) open = { start: match.index, fence };
    else if (fence.startsWith(open.fence) && info.trim() === '') {
      parts.push([open.start, match.index + match[0].length]);
      open = undefined;
    }
  }
  return parts;
}
