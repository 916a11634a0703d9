import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Io } from '../../cli/io.ts';
import { AgentGateError, isSystemError, messageOf } from '../../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../../util/json.ts';
import { type LedgerEntry, sha256Jcs } from '../ledger/entry.ts';
import { type LedgerOptions, openLedger, places } from './ledger-options.ts';

/** Of one server's changes the ledger names so many. */
const MAX_CHANGES = 100;
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/**
 * `agentgate ledger record-drift`: appends what a check saw that is not accepted, an entry a server. What is, for a server, the
 * last that was recorded is not recorded again. Throws `E_REPORT` for what is no report of this product.
 */
export async function recordDrift(io: Io, options: LedgerOptions): Promise<number> {
  const { path, cwd } = await places(io, options);
  const report = readReport(resolve(cwd, options.report ?? ''));
  const { ledger, entries } = await openLedger(io, path);
  const seen = lastDrift(entries);
  const fresh = [...report.changes].filter(
    ([server, changes]) => seen.get(server) !== digestOf(report.lock, changes),
  );
  for (const [server, changes] of fresh)
    await ledger.append({
      type: 'lock_drift_seen',
      proposal_id: null,
      server,
      actor: 'check',
      payload: payloadOf(report.lock, changes),
    });
  const known = report.changes.size - fresh.length;
  io.stdout.write(
    report.changes.size === 0
      ? 'The check saw no drift; nothing was added.\n'
      : `Recorded: drift of ${fresh.length} ${fresh.length === 1 ? 'server' : 'servers'}${known === 0 ? '' : `; ${known} recorded before`}.\n`,
  );
  return 0;
}

function payloadOf(lock: Json, changes: readonly JsonObject[]): JsonObject {
  return { lock_sha256: lock, changes: changes.slice(0, MAX_CHANGES), count: changes.length };
}

function digestOf(lock: Json, changes: readonly JsonObject[]): string {
  return sha256Jcs(payloadOf(lock, changes));
}

/** By server the digest of the drift that a check recorded last. */
function lastDrift(entries: readonly LedgerEntry[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const { type, server, actor, payload_sha256 } of entries)
    if (type === 'lock_drift_seen' && actor === 'check' && server !== null) last.set(server, payload_sha256);
  return last;
}

interface Seen {
  lock: Json;
  /** By server. */
  changes: Map<string, JsonObject[]>;
}

function readReport(path: string): Seen {
  let report: unknown;
  try {
    if (statSync(path).size > MAX_REPORT_BYTES) throw new Error('it is too large');
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = isSystemError(error)
      ? error.code
      : error instanceof SyntaxError
        ? 'no JSON'
        : messageOf(error);
    throw new AgentGateError(
      'E_REPORT',
      `The report ${path} cannot be read (${why}); give the file that "agentgate ci --format json --output" or the action wrote.`,
    );
  }
  const found = isObject(report) && own(report, 'schemaVersion') === 1 ? own(report, 'changes') : undefined;
  const lockfile = isObject(report) ? own(report, 'lockfile') : undefined;
  if (!Array.isArray(found))
    throw new AgentGateError(
      'E_REPORT',
      `${path} is no JSON report of "agentgate ci"; give it --format json.`,
    );
  const changes = new Map<string, JsonObject[]>();
  for (const change of found) {
    const server = isObject(change) ? own(change, 'server') : undefined;
    if (!isObject(change) || typeof server !== 'string' || own(change, 'accepted') === true) continue;
    const key = short(server, 200);
    changes.set(key, [...(changes.get(key) ?? []), briefly(change)]);
  }
  return { lock: (isObject(lockfile) ? own(lockfile, 'sha256') : undefined) ?? null, changes };
}

/** As the proxy records drift: kind, name, what happened, and where. */
function briefly(change: JsonObject): JsonObject {
  const fields = own(change, 'fields');
  const places = (Array.isArray(fields) ? fields : []).map((field) =>
    isObject(field)
      ? `${String(own(field, 'pointer') ?? '') || 'it'} (${String(own(field, 'class') ?? '')})`
      : '',
  );
  return {
    kind: short(String(own(change, 'kind') ?? ''), 40),
    name: short(String(own(change, 'name') ?? ''), 200),
    change: short(String(own(change, 'change') ?? ''), 40),
    what: short(
      places.slice(0, 5).join(', ') + (places.length > 5 ? `, and ${places.length - 5} more` : ''),
      500,
    ),
  };
}

function short(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
