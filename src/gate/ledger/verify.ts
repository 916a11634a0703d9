import { GENESIS, type LedgerEntry, parseLine, sha256Jcs } from './entry.ts';
import { leafHash, MerkleTree } from './merkle.ts';
import { textOf } from './tail.ts';

/** What can be wrong with a ledger, by name. */
export type LedgerProblemCode =
  | 'E_LEDGER_FORM'
  | 'E_LEDGER_EDITED'
  | 'E_LEDGER_DELETED'
  | 'E_LEDGER_INSERTED'
  | 'E_LEDGER_REORDERED'
  | 'E_LEDGER_DUPLICATED'
  | 'E_LEDGER_DUPLICATE_KEY'
  | 'E_LEDGER_TORN'
  | 'E_LEDGER_TRUNCATED'
  | 'E_LEDGER_REWRITTEN';

export interface LedgerProblem {
  code: LedgerProblemCode;
  /** 1-based line of the file; 0 for what concerns the whole. */
  line: number;
  /** One clause. */
  text: string;
}

/** The state of a ledger at one time, kept where nobody who writes the ledger can change it. */
export interface TreeHead {
  /** Entries. */
  size: number;
  /** RFC 6962 root over the lines, 32 bytes. */
  root: Buffer;
  /** Where it was read from, for messages. */
  from?: string;
}

export interface LedgerReport {
  /** No problem; a torn tail is one, though the next append repairs it. */
  ok: boolean;
  /** True when nothing worse than a torn tail was found. */
  repairable: boolean;
  entries: number;
  /** Hash of the last entry, 64 zeros when there is none. */
  head: string;
  /** Root over all whole lines, hexadecimal. */
  root: string;
  /** True when it fits a head that was kept elsewhere: only then is it known that nothing was cut off before that. */
  anchored: boolean;
  problems: LedgerProblem[];
  list: LedgerEntry[];
}

const LF = 10;

interface Line {
  number: number;
  text: string;
  entry: LedgerEntry;
}

/**
 * Checks a ledger's bytes: each line by itself, the chain, and against heads that were kept elsewhere. Names what was
 * done to it: edited, deleted, inserted, reordered, duplicated, a key twice, a torn tail, truncated, rewritten.
 */
export function verifyLedger(bytes: Uint8Array, heads: readonly TreeHead[] = []): LedgerReport {
  const problems: LedgerProblem[] = [];
  const { lines, torn } = splitLines(bytes);
  const tree = new MerkleTree();
  const roots = new Map<number, string>();
  const wanted = new Set(heads.map(({ size }) => size));
  if (wanted.has(0)) roots.set(0, tree.root().toString('hex'));
  const read: Line[] = [];
  for (const [index, raw] of lines.entries()) {
    tree.add(leafHash(raw));
    if (wanted.has(tree.size)) roots.set(tree.size, tree.root().toString('hex'));
    const text = textOf(raw);
    const { entry, problem } =
      text === undefined
        ? { entry: undefined, problem: { code: 'E_LEDGER_FORM' as const, text: 'is not valid UTF-8' } }
        : parseLine(text);
    if (problem !== undefined) problems.push({ ...problem, line: index + 1 });
    if (entry !== undefined && text !== undefined) read.push({ number: index + 1, text, entry });
  }
  const broken = problems.length > 0;
  problems.push(...chainProblems(read, broken));
  if (!broken) problems.push(...digestProblems(read));
  if (torn > 0)
    problems.push({
      code: 'E_LEDGER_TORN',
      line: lines.length + 1,
      text: `has no line feed (${torn} bytes): a write was cut off; the next append records and removes it`,
    });
  let anchored = heads.length > 0;
  for (const head of heads) {
    const problem = headProblem(head, tree.size, roots.get(head.size));
    if (problem === undefined) continue;
    anchored = false;
    problems.push(problem);
  }
  problems.sort((a, b) => a.line - b.line);
  return {
    ok: problems.length === 0,
    repairable: problems.every(({ code }) => code === 'E_LEDGER_TORN'),
    entries: lines.length,
    head: read.at(-1)?.entry.hash ?? GENESIS,
    root: tree.root().toString('hex'),
    anchored,
    problems,
    list: read.map(({ entry }) => entry),
  };
}

/** Whole lines without their line feeds, and how many bytes stand behind the last. */
function splitLines(bytes: Uint8Array): { lines: Uint8Array[]; torn: number } {
  const lines: Uint8Array[] = [];
  let at = 0;
  for (let lf = bytes.indexOf(LF); lf !== -1; lf = bytes.indexOf(LF, at)) {
    lines.push(bytes.subarray(at, lf));
    at = lf + 1;
  }
  return { lines, torn: bytes.length - at };
}

/** What differs from `0, 1, 2 …`, each entry naming the one before it. */
function chainProblems(read: readonly Line[], broken: boolean): LedgerProblem[] {
  const problems: LedgerProblem[] = [];
  const seen = new Map<string, number>();
  let lines: Line[] = [];
  for (const line of read) {
    const first = seen.get(line.text);
    if (first === undefined) {
      seen.set(line.text, line.number);
      lines.push(line);
    } else
      problems.push({
        code: 'E_LEDGER_DUPLICATED',
        line: line.number,
        text: `is line ${first} once more (entry ${line.entry.seq})`,
      });
  }
  lines = withoutInserted(lines, problems);
  const ordered = [...lines].sort((a, b) => a.entry.seq - b.entry.seq);
  const moved = lines.find((line, index) => line !== ordered[index]);
  if (moved !== undefined)
    problems.push({
      code: 'E_LEDGER_REORDERED',
      line: moved.number,
      text: `holds entry ${moved.entry.seq} out of its order`,
    });
  let previous = { seq: -1, hash: GENESIS, number: 0 };
  for (const { entry, number } of ordered) {
    const missing = entry.seq - previous.seq - 1;
    // A line that could not be read leaves a gap too, and is named already.
    if (missing > 0 && !broken)
      problems.push({
        code: 'E_LEDGER_DELETED',
        line: number,
        text: `holds entry ${entry.seq}, and ${missing === 1 ? `entry ${entry.seq - 1} is` : `entries ${previous.seq + 1} to ${entry.seq - 1} are`} missing before it`,
      });
    else if (missing === 0 && entry.prev_hash !== previous.hash && !broken)
      problems.push({
        code: 'E_LEDGER_EDITED',
        line: previous.number,
        text: `holds another entry ${previous.seq} than the one that entry ${entry.seq} follows`,
      });
    previous = { seq: entry.seq, hash: entry.hash, number };
  }
  return problems;
}

/** Of several entries with one number, the chain runs through one; the others were put in. */
function withoutInserted(lines: Line[], problems: LedgerProblem[]): Line[] {
  const bySeq = new Map<number, Line[]>();
  for (const line of lines) bySeq.set(line.entry.seq, [...(bySeq.get(line.entry.seq) ?? []), line]);
  const inserted = new Set<Line>();
  for (const [seq, twins] of bySeq) {
    if (twins.length < 2) continue;
    const followed = (line: Line): boolean =>
      (bySeq.get(seq + 1) ?? []).some(({ entry }) => entry.prev_hash === line.entry.hash);
    const follows = (line: Line): boolean =>
      seq === 0
        ? line.entry.prev_hash === GENESIS
        : (bySeq.get(seq - 1) ?? []).some(({ entry }) => entry.hash === line.entry.prev_hash);
    const genuine =
      twins.find((line) => followed(line) && follows(line)) ??
      twins.find(followed) ??
      twins.find(follows) ??
      twins[0];
    for (const line of twins) {
      if (line === genuine) continue;
      inserted.add(line);
      problems.push({
        code: 'E_LEDGER_INSERTED',
        line: line.number,
        text: `holds a second entry ${seq}, which the chain does not run through`,
      });
    }
  }
  return lines.filter((line) => !inserted.has(line));
}

/** The digests that an entry's own hash covers, but that a forger could have filled with anything. */
function digestProblems(read: readonly Line[]): LedgerProblem[] {
  const problems: LedgerProblem[] = [];
  const proposals = new Map<string, string>();
  for (const { entry, number } of read) {
    const wrong = (text: string): void => {
      problems.push({ code: 'E_LEDGER_EDITED', line: number, text });
    };
    const id = entry.proposal_id;
    if (id !== null && entry.type === 'proposal_created') proposals.set(id, entry.payload_sha256);
    const own = id === null ? undefined : proposals.get(id);
    if (own === undefined) {
      if (entry.payload_sha256 !== sha256Jcs(entry.payload))
        wrong('has a digest that its payload does not give');
    } else if (entry.payload_sha256 !== own) wrong(`has another payload digest than ${id} was created with`);
  }
  return problems;
}

function headProblem(head: TreeHead, size: number, root: string | undefined): LedgerProblem | undefined {
  const where = head.from === undefined ? 'the checkpoint' : `the checkpoint ${head.from}`;
  if (head.size > size)
    return {
      code: 'E_LEDGER_TRUNCATED',
      line: 0,
      text: `has ${size} entries, and ${where} was made of ${head.size}: ${head.size - size} were cut off`,
    };
  if (root !== head.root.toString('hex'))
    return {
      code: 'E_LEDGER_REWRITTEN',
      line: 0,
      text: `was rewritten: its first ${head.size} entries are not those of ${where}`,
    };
  return undefined;
}
