import { diffArrays } from 'diff';

/** A run of tokens that both texts have (`=`), that only the old (`-`) or only the new one (`+`) has. */
export interface Run {
  op: '=' | '-' | '+';
  tokens: string[];
}

/**
 * Words, runs of blanks, line ends, and all else by the character; scripts without spaces by the character. Joined
 * they are the text again. A word of more than 100 characters is cut: no line could hold it.
 */
const TOKEN =
  /\n|[^\S\n]{1,100}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}\p{M}_]{1,100}?(?![\p{L}\p{N}\p{M}_])|[\p{L}\p{N}\p{M}_]{1,100}|[\s\S]/gu;

export function words(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

const SENTENCE = /\n|[^\S\n]+|[.!?]+|[^\s.!?](?:[^.!?\n]*[^\s.!?])?[.!?]*/g;

/** Sentences, the blanks between them, and line ends. Joined they are the text again. */
export function sentences(text: string): string[] {
  return text.match(SENTENCE) ?? [];
}

/** Lines with their line end. Joined they are the text again. */
export function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * The work that one text diff may do. Myers' algorithm takes about D² steps for D differing tokens, so that a number
 * of steps is a bound that gives the same result on every machine; the deadline is the last resort.
 */
export interface Budget {
  steps: number;
  /** Told what was used. */
  spent?(steps: number): void;
  /** As `performance.now()` counts. */
  deadline: number;
}

/** The differences of two token lists, or undefined when they would cost more than the budget has left. */
export function diffTokens(before: string[], after: string[], budget: Budget): Run[] | undefined {
  const shared = Math.min(before.length, after.length);
  let start = 0;
  while (start < shared && before[start] === after[start]) start++;
  let end = 0;
  while (end < shared - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  const runs: Run[] = [];
  push(runs, '=', before.slice(0, start));
  if (old.length === 0 || now.length === 0) {
    push(runs, '-', old);
    push(runs, '+', now);
  } else {
    const middle = search(old, now, budget);
    if (!middle) return undefined;
    for (const run of middle) push(runs, run.op, run.tokens);
  }
  push(runs, '=', before.slice(before.length - end));
  return runs;
}

function search(before: string[], after: string[], budget: Budget): Run[] | undefined {
  const timeout = budget.deadline - performance.now();
  // With few tokens on one side there are few diagonals, and each edit costs no more than those.
  const diagonals = 4 * Math.min(before.length, after.length) + 8;
  const steps = Math.max(0, budget.steps);
  const maxEditLength = Math.floor(Math.max(Math.sqrt(steps), steps / diagonals));
  if (timeout <= 0 || Math.abs(before.length - after.length) > maxEditLength) return undefined;
  // Numbers compare at once; two long tokens that differ in their last character do not.
  const ids = new Map<string, number>();
  const names: string[] = [];
  const number = (token: string): number => {
    let id = ids.get(token);
    if (id === undefined) {
      id = names.length;
      ids.set(token, id);
      names.push(token);
    }
    return id;
  };
  const found = diffArrays(before.map(number), after.map(number), { maxEditLength, timeout });
  if (!found) {
    spend(budget, steps);
    return undefined;
  }
  let edits = 0;
  const runs: Run[] = [];
  for (const part of found) {
    const op = part.added ? '+' : part.removed ? '-' : '=';
    if (op !== '=') edits += part.value.length;
    push(
      runs,
      op,
      part.value.map((id) => names[id] ?? ''),
    );
  }
  spend(budget, edits * Math.min(edits, diagonals));
  return runs;
}

function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  budget.spent?.(steps);
}

/** Appends a run; one of the same kind grows, and between two equal runs what goes stands before what comes. */
export function push(runs: Run[], op: Run['op'], tokens: string[]): void {
  if (tokens.length === 0) return;
  const last = runs.at(-1);
  if (last?.op === op) last.tokens = last.tokens.concat(tokens);
  else if (op === '-' && last?.op === '+') {
    const previous = runs.at(-2);
    if (previous?.op === '-') previous.tokens = previous.tokens.concat(tokens);
    else runs.splice(-1, 0, { op, tokens });
  } else runs.push({ op, tokens });
}
