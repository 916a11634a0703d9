import type { TextRun } from './text-compare.ts';

/** Words that stand for others; one side is empty where words were only put in or taken out. */
export interface WordChange {
  before: string;
  after: string;
}

/** Changes that are still few, and characters of one side that are still read at a glance. */
const FEW = 2;
const SHORT = 48;
/** A sentence shorter than this shows by itself what changed in it. */
const LONG = 60;

/**
 * The changed words, when they are so few and short that they say more than the lines they stand in: `retry` for
 * `retries` in a text of some length. Words are whole up to the blanks around them. Undefined otherwise.
 */
export function fewChanges(runs: readonly TextRun[]): WordChange[] | undefined {
  const changes: WordChange[] = [];
  let equal = 0;
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i];
    if (run === undefined) continue;
    if (run.op === '=') {
      equal += run.text.length;
      continue;
    }
    const next = runs[i + 1];
    const pair = run.op === '-' && next?.op === '+' ? next : undefined;
    const [before, after] = run.op === '-' ? [run.text, pair?.text ?? ''] : ['', run.text];
    const lead = /\S*$/u.exec((runs[i - 1]?.text ?? '').slice(-SHORT - 1))?.[0] ?? '';
    if (pair !== undefined) i++;
    const trail = /^\S*/u.exec((runs[i + 1]?.text ?? '').slice(0, SHORT + 1))?.[0] ?? '';
    const change = {
      before: whole(before, after, lead, trail),
      after: whole(after, before, lead, trail),
    };
    if (changes.length === FEW || !isShort(change.before) || !isShort(change.after)) return undefined;
    if (change.before === change.after) return undefined;
    changes.push(change);
  }
  return equal < LONG || changes.length === 0 ? undefined : changes;
}

/** The words with what they touch; alone when they stand between blanks, or are put in beside a whole word. */
function whole(words: string, other: string, lead: string, trail: string): string {
  const first = words === '' ? other : words;
  const second = other === '' ? words : other;
  const before = /^\s/u.test(first) && /^\s/u.test(second) ? '' : lead;
  const after = /\s$/u.test(first) && /\s$/u.test(second) ? '' : trail;
  return `${before}${words}${after}`.trim();
}

function isShort(words: string): boolean {
  return words.length <= SHORT && !words.includes('\n') && words.split(/\s+/u).length <= 5;
}
