import { slide } from './text-slide.ts';
import { type Budget, diffTokens, lines, push, type Run, sentences, words } from './text-words.ts';

/** A stretch of text that both texts have (`=`), that only the old (`-`) or only the new one (`+`) has. */
export interface TextRun {
  op: '=' | '-' | '+';
  text: string;
}

/** The coarsest means that had to be used somewhere: words, sentences, lines, or one whole text for the other. */
export type Means = 'word' | 'sentence' | 'line' | 'whole';

export interface Comparison {
  runs: TextRun[];
  by: Means;
}

export interface CompareOptions {
  /** Elementary steps, each about 50 ns; after so many the rest is compared more coarsely. {@link WORK} by default. */
  work?: number;
  /** Milliseconds after which it gets coarser whatever the steps; 500 by default. Steps come first, being repeatable. */
  maxMs?: number;
}

/** About 0.2 s. */
export const WORK = 4_000_000;

/** Of those, edits squared in one passage: a thousand words may differ there. */
const PASSAGE = 1_000_000;

/** Steps for a character cut into words, and for a line. */
const PER_CHARACTER = 4;
const PER_LINE = 8;

/** Below this share of common characters, two passages are shown as one text in place of the other. */
const ALIKE = 0.25;

/** The differences of two texts by words within lines; equal texts give no run that differs. Runs joined are the texts. */
export function compareTexts(before: string, after: string, options: CompareOptions = {}): Comparison {
  if (before === after) return { runs: before === '' ? [] : [{ op: '=', text: before }], by: 'word' };
  const [start, end] = sharedEnds(before, after);
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const budget: Budget = {
    steps: options.work ?? WORK,
    deadline: performance.now() + (options.maxMs ?? 500),
  };
  const { runs: middle, by } = compareMiddle(old, now, budget);
  const runs = joined([
    { op: '=', text: before.slice(0, start) },
    ...middle,
    { op: '=', text: before.slice(before.length - end) },
  ]);
  return { runs: slide(runs), by };
}

function compareMiddle(old: string, now: string, budget: Budget): Comparison {
  const whole: TextRun[] = [
    { op: '-', text: old },
    { op: '+', text: now },
  ];
  if (old === '' || now === '') return { runs: whole, by: 'word' };
  const coarse: Comparison = { runs: whole, by: 'whole' };
  const lineCount = countLines(old) + countLines(now);
  if (!spend(budget, lineCount * PER_LINE)) return coarse;
  const blocks = diffTokens(lines(old), lines(now), limited(budget));
  return blocks === undefined ? coarse : refine(blocks, budget);
}

/** A budget for one passage. What it leaves comes off the whole by {@link settle}. */
function limited(budget: Budget): Budget {
  const passage = Math.min(budget.steps, PASSAGE);
  return {
    deadline: budget.deadline,
    steps: passage,
    spent: (steps) => {
      budget.steps -= steps;
    },
  };
}

function spend(budget: Budget, steps: number): boolean {
  if (budget.steps < steps) return false;
  budget.steps -= steps;
  return true;
}

/** Takes runs of lines, and looks into each place where lines stand in for others. */
function refine(blocks: Run[], budget: Budget): Comparison {
  const runs: TextRun[] = [];
  let by: Means = 'word';
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (!block) continue;
    const next = blocks[i + 1];
    const text = block.tokens.join('');
    if (block.op !== '-' || next?.op !== '+') {
      runs.push({ op: block.op, text });
      continue;
    }
    i++;
    const now = next.tokens.join('');
    const passage = comparePassage(text, now, budget);
    if (passage.by === 'line' || by === 'word') by = passage.by;
    if (passage.runs !== undefined && alike(passage.runs)) {
      for (const run of passage.runs) runs.push({ op: run.op, text: run.tokens.join('') });
    } else runs.push({ op: '-', text }, { op: '+', text: now });
  }
  return { runs: joined(runs), by };
}

function comparePassage(old: string, now: string, budget: Budget): { runs?: Run[]; by: Means } {
  const size = old.length + now.length;
  const found = compareWords(old, now, budget);
  if (found) return { runs: found, by: 'word' };
  if (!spend(budget, size)) return { by: 'line' };
  const blocks = diffTokens(sentences(old), sentences(now), limited(budget));
  if (!blocks) return { by: 'line' };
  // Sentence by sentence the words may be few enough.
  const runs: Run[] = [];
  let by: Means = 'word';
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    const next = blocks[i + 1];
    if (!block) continue;
    const pair = block.op === '-' && next?.op === '+' ? next : undefined;
    const inner = pair && compareWords(block.tokens.join(''), pair.tokens.join(''), budget);
    if (pair) i++;
    if (pair && !inner) by = 'sentence';
    const shown = inner && alike(inner) ? inner : pair ? [block, pair] : [block];
    for (const run of shown) push(runs, run.op, run.tokens);
  }
  return { runs, by };
}

function compareWords(old: string, now: string, budget: Budget): Run[] | undefined {
  if (!spend(budget, (old.length + now.length) * PER_CHARACTER)) return undefined;
  return diffTokens(words(old), words(now), limited(budget));
}

/** Whether what both have is worth showing as such, and not one text in place of the other. */
function alike(runs: readonly Run[]): boolean {
  const size = { '-': 0, '+': 0, '=': 0 };
  const weights = runs.map((run) => {
    const weight = run.tokens.join('').replace(/\s+/g, '').length;
    size[run.op] += weight;
    return weight;
  });
  const [old, now] = [size['='] + size['-'], size['='] + size['+']];
  const least = Math.min(old, now);
  const solid = Math.min(SOLID, Math.max(CRUMB * 2, least / 4));
  let [common, long] = [0, 0];
  runs.forEach(({ op }, i) => {
    const weight = weights[i] ?? 0;
    if (op !== '=') return;
    if (weight > CRUMB || i === 0 || i + 1 === runs.length) common += weight;
    if (weight >= solid) long += weight;
  });
  return 2 * common >= ALIKE * (old + now) || 2 * long >= least;
}

/** Characters that two unrelated passages share by chance (`. The`), and that they do not. */
const CRUMB = 4;
const SOLID = 20;

/** Runs of one kind that touch are one, and between two equal runs what goes stands before what comes. */
function joined(runs: readonly TextRun[]): TextRun[] {
  const lists: Run[] = [];
  for (const { op, text } of runs) if (text !== '') push(lists, op, [text]);
  return lists.map(({ op, tokens }) => ({ op, text: tokens.join('') }));
}

/** Characters at the start and at the end that both texts have, cut back to where lines begin, or else words. */
function sharedEnds(before: string, after: string): [number, number] {
  const shared = Math.min(before.length, after.length);
  let start = 0;
  while (start < shared && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  start = placeBefore(before, start);
  let end = 0;
  while (
    end < shared - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  return [start, before.length - placeAfter(before, before.length - end)];
}

/** A line longer than this is parted at a blank. */
const LONG_LINE = 4_000;

function placeBefore(text: string, at: number): number {
  if (at === 0) return 0;
  const line = text.lastIndexOf('\n', at - 1) + 1;
  if (at - line <= LONG_LINE) return line;
  const blank = text.lastIndexOf(' ', at - 200);
  return Math.max(blank, line);
}

function placeAfter(text: string, at: number): number {
  if (at === text.length) return at;
  const found = text.indexOf('\n', at);
  const line = found < 0 ? text.length : found + 1;
  if (line - at <= LONG_LINE) return line;
  const blank = text.indexOf(' ', at + 200);
  return blank < 0 || blank >= line ? line : blank;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
