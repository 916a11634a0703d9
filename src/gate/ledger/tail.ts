import { hash } from 'node:crypto';
import { type EntryDraft, type LedgerEntry, MAX_LINE_BYTES, parseLine } from './entry.ts';

/** A last line without its line feed: a write that was cut off, and that nobody was told had succeeded. */
export interface TornTail {
  bytes: Buffer;
}

const LF = 10;

/**
 * Reads whole lines that continue a chain, from its next sequence number and last hash on. Stops at the first that does
 * not; `line` counts from 1 in the whole ledger.
 */
export function readEntries(
  bytes: Buffer,
  chain: { seq: number; hash: string },
): {
  entries: LedgerEntry[];
  /** Bytes of the whole lines. */
  length: number;
  /** With its line feed. */
  lastLine?: Buffer;
  torn?: TornTail;
  problem?: { code: string; line: number; text: string };
} {
  const entries: LedgerEntry[] = [];
  let { seq, hash: previous } = chain;
  let at = 0;
  let lastLine: Buffer | undefined;
  for (let lf = bytes.indexOf(LF); lf !== -1; lf = bytes.indexOf(LF, at)) {
    const raw = bytes.subarray(at, lf);
    const fail = (code: string, text: string) => ({
      entries,
      length: at,
      problem: { code, line: seq + 1, text },
    });
    if (raw.length > MAX_LINE_BYTES) return fail('E_LEDGER_FORM', 'is too long');
    const { entry, problem } = parseLine(textOf(raw) ?? '');
    if (problem !== undefined) return fail(problem.code, problem.text);
    if (entry === undefined) return fail('E_LEDGER_FORM', 'is no entry');
    if (entry.seq !== seq)
      return fail('E_LEDGER_BROKEN', `has the sequence number ${entry.seq} in place of ${seq}`);
    if (entry.prev_hash !== previous)
      return fail('E_LEDGER_BROKEN', 'does not follow from the line before it');
    entries.push(entry);
    seq++;
    previous = entry.hash;
    at = lf + 1;
    lastLine = Buffer.from(bytes.subarray(at - raw.length - 1, at));
  }
  const rest = bytes.subarray(at);
  return {
    entries,
    length: at,
    ...(lastLine === undefined ? {} : { lastLine }),
    ...(rest.length === 0 ? {} : { torn: { bytes: Buffer.from(rest) } }),
  };
}

/** Undefined when the bytes are no UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The entry that records what was cut off. */
export function tornDraft(torn: TornTail): EntryDraft {
  return {
    type: 'checkpoint',
    proposal_id: null,
    server: null,
    actor: 'ledger',
    payload: {
      kind: 'recovery',
      torn_bytes: torn.bytes.length,
      torn_sha256: hash('sha256', torn.bytes, 'hex'),
      torn_start: torn.bytes.subarray(0, 200).toString('base64'),
    },
  };
}
