/** Where a sentence ends: its mark, closing quotes and brackets, then blanks. */
const ENDS = /[.!?…]["'”’)\]*_`]*$/u;
const ENDS_WIDE = /[。！？]["'”’）」』】]*\s*$/u;
/** What ends with a full stop and is no sentence: numbers of a list, initials, common short forms. */
const NO_SENTENCE = /(?:^|[\s(])(?:\d{1,3}|\p{L}|e\.g|i\.e|etc|vs|cf|incl|approx|no|nr|fig|z\.B|d\.h)\.$/iu;
const CONTINUES = /^[\p{Ll}.,;:!?)\]}]/u;
const CLAUSE = /[,;:)\]—–]["'”’]?\s+$/u;

/**
 * How well a text can be parted here, given what stands before on the same line and the token that follows
 * (`undefined` at the end): 0 not at all, 1 between words, 2 after a clause, 3 after a sentence, 4 at a line's start.
 */
export function boundary(tail: string, next: string | undefined): 0 | 1 | 2 | 3 | 4 {
  if (tail === '') return 4;
  if (endsSentence(tail, next)) return 3;
  if (CLAUSE.test(tail)) return 2;
  return /\s$/u.test(tail) ? 1 : 0;
}

function endsSentence(tail: string, next: string | undefined): boolean {
  if (ENDS_WIDE.test(tail)) return next === undefined || !CONTINUES.test(next);
  const bare = tail.trimEnd();
  if (!ENDS.test(bare) || NO_SENTENCE.test(bare)) return false;
  const follows = next === undefined || next.trim() === '';
  if (bare === tail) return follows;
  return next === undefined || next === '\n' || (!follows && !CONTINUES.test(next));
}
