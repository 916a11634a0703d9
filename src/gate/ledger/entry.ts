import { hash } from 'node:crypto';
import { CanonicalError, canonicalJson } from '../../lock/canonical.ts';
import { AgentGateError } from '../../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../../util/json.ts';
import { describeProblem, problemsOf, scanJson } from '../../util/strict-json.ts';

/** What can happen, `GATE.md` §5. */
const ENTRY_TYPES = [
  'proposal_created',
  'operator_approved',
  'operator_rejected',
  'execution_started',
  'mutation_executed',
  'execution_failed',
  'proposal_expired',
  'lock_drift_seen',
  'lock_drift_approved',
  'checkpoint',
] as const;

type EntryType = (typeof ENTRY_TYPES)[number];

/** One line of the ledger. Hashes are SHA-256, hexadecimal. */
export interface LedgerEntry {
  /** From 0, without a gap: the entry's index as a leaf of the Merkle tree. */
  seq: number;
  /** RFC 3339, UTC, milliseconds. */
  ts: string;
  type: EntryType;
  /** Null for what concerns no proposal. */
  proposal_id: string | null;
  /** Key in the lock; null for what concerns no server. */
  server: string | null;
  /** Who did it: `agent`, `proxy`, `operator:<name>`, … */
  actor: string;
  payload: JsonObject;
  /**
   * In the entries of a proposal: the proposal's own, of `{server, tool, arguments}` (`GATE.md` §2), so that the digest
   * can be followed through its life. In all others: of `payload`.
   */
  payload_sha256: string;
  prev_hash: string;
  hash: string;
}

/** What a writer gives; the ledger adds the rest. */
export interface EntryDraft {
  type: EntryType;
  proposal_id: string | null;
  server: string | null;
  actor: string;
  payload: JsonObject;
  /** Of the proposal; of `payload` when absent. */
  payload_sha256?: string;
}

export const GENESIS = '0'.repeat(64);
const DOMAIN = 'agentgate-ledger-v1\n';
const KEYS = [
  'actor',
  'hash',
  'payload',
  'payload_sha256',
  'prev_hash',
  'proposal_id',
  'seq',
  'server',
  'ts',
  'type',
];
/** A line is no place for books: an answer of a tool is cut long before. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** SHA-256 of a value's canonical JSON, hexadecimal. Throws as `canonicalJson` does. */
export function sha256Jcs(value: Json): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** Hash of an entry: `sha256("agentgate-ledger-v1\n" + jcs(entry without hash))`. */
function entryHash(entry: Omit<LedgerEntry, 'hash'>): string {
  return hash('sha256', DOMAIN + canonicalJson(entry as unknown as JsonObject), 'hex');
}

/**
 * The next entry of a chain. Throws {@link NOT_RECORDABLE} for what {@link parseLine} would not read again: a ledger with such
 * a line would be lost for everybody.
 */
export function makeEntry(
  draft: EntryDraft,
  at: { seq: number; prevHash: string; now: Date },
): { entry: LedgerEntry; line: string } {
  try {
    const body = {
      seq: at.seq,
      ts: at.now.toISOString(),
      type: draft.type,
      proposal_id: draft.proposal_id,
      server: draft.server,
      actor: draft.actor,
      payload: draft.payload,
      payload_sha256: draft.payload_sha256 ?? sha256Jcs(draft.payload),
      prev_hash: at.prevHash,
    };
    const entry: LedgerEntry = { ...body, hash: entryHash(body) };
    const value = entry as unknown as JsonObject;
    const line = canonicalJson(value);
    const [problem] = problemsOf(line, value);
    if (problem !== undefined) throw notRecordable(describeProblem(problem));
    if (Buffer.byteLength(line) > MAX_LINE_BYTES) throw notRecordable('it is too large');
    return { entry, line };
  } catch (error) {
    throw error instanceof CanonicalError ? notRecordable(error.message) : error;
  }
}

/** Code of what no line of a ledger can hold. */
export const NOT_RECORDABLE = 'E_NOT_RECORDABLE';

function notRecordable(why: string): AgentGateError {
  return new AgentGateError(
    NOT_RECORDABLE,
    `What is to be recorded has no form that the ledger can keep: ${why}. Nothing is done that cannot be recorded.`,
  );
}

/** What is wrong with one line by itself. */
type LineProblem = 'E_LEDGER_FORM' | 'E_LEDGER_DUPLICATE_KEY' | 'E_LEDGER_EDITED';

/**
 * Reads one line (without its line feed) and checks everything that can be checked in it alone: JSON, no key twice,
 * the ten members and no other, canonical bytes, its own hash. An entry comes with a problem when it could be read.
 */
export function parseLine(line: string): {
  entry?: LedgerEntry;
  problem?: { code: LineProblem; text: string };
} {
  const { value, problems } = scanJson(line);
  const form = (text: string) => ({ problem: { code: 'E_LEDGER_FORM' as const, text } });
  if (value === undefined) return form('is no JSON');
  const twice = problems.find(({ code }) => code !== 'E_TOO_DEEP' && code !== 'E_NUMBER');
  if (twice !== undefined)
    return { problem: { code: 'E_LEDGER_DUPLICATE_KEY', text: `has a key twice at ${twice.pointer}` } };
  if (problems.length > 0) return form('has no canonical form');
  if (!isObject(value)) return form('is no object');
  const entry = shaped(value);
  if (typeof entry === 'string') return form(entry);
  const { hash: claimed, ...body } = entry;
  if (entryHash(body) !== claimed)
    return { entry, problem: { code: 'E_LEDGER_EDITED', text: 'does not give its own hash' } };
  if (canonicalJson(value) !== line)
    return { entry, problem: { code: 'E_LEDGER_EDITED', text: 'is not in canonical form' } };
  return { entry };
}

const HEX = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function shaped(value: JsonObject): LedgerEntry | string {
  const keys = Object.keys(value).sort();
  if (keys.length !== KEYS.length || keys.some((key, index) => key !== KEYS[index]))
    return 'has not the members of an entry';
  const text = (key: string): boolean => typeof own(value, key) === 'string';
  const orNull = (key: string): boolean => own(value, key) === null || text(key);
  const hex = (key: string): boolean => text(key) && HEX.test(String(own(value, key)));
  const known = (ENTRY_TYPES as readonly unknown[]).includes(own(value, 'type'));
  const seq = own(value, 'seq');
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) return 'has no sequence number';
  if (!known) return 'has an unknown type';
  if (!text('ts') || !TIME.test(String(own(value, 'ts')))) return 'has no time';
  if (!orNull('proposal_id') || !orNull('server') || !text('actor') || !isObject(own(value, 'payload')))
    return 'has a member of the wrong type';
  if (!hex('payload_sha256') || !hex('prev_hash') || !hex('hash')) return 'has a malformed hash';
  return value as unknown as LedgerEntry;
}
