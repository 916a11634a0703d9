import { resolve } from 'node:path';
import { displayPath } from '../../check.ts';
import { compareLocks } from '../../drift/compare.ts';
import { findIn } from '../../findings/findings.ts';
import { raiseByFindings } from '../../findings/raise.ts';
import { readLock } from '../../lock/read-file.ts';
import type { Lock } from '../../lock/types.ts';
import { buildReport } from '../../report/build.ts';
import type { Report } from '../../report/model.ts';
import { AgentGateError } from '../../util/errors.ts';
import type { Io } from '../io.ts';
import type { CommonOptions } from '../options.ts';
import { emitReport } from '../shared.ts';
import { runCi } from './ci.ts';

/** Shows what differs and gives the exit code. Without `old`: the live servers against the lock. */
export async function runDiff(
  io: Io,
  old: string | undefined,
  newer: string | undefined,
  options: CommonOptions,
): Promise<number> {
  if (old === undefined) return runCi(io, options);
  const report = await fileDiff(io, old, newer, options);
  await emitReport(io, options, report);
  return report.exitCode;
}

async function fileDiff(
  io: Io,
  old: string,
  newer: string | undefined,
  options: CommonOptions,
): Promise<Report> {
  if (newer === undefined) {
    throw new AgentGateError('E_USAGE', 'diff takes two lock files, or none for the live servers');
  }
  const started = performance.now();
  const [before, after] = [await readFile(io, old), await readFile(io, newer)];
  const { changes, info } = compareLocks(before.lock, after.lock, { accepted: false });
  raiseByFindings(changes, findIn(after.lock.servers, []), findIn(before.lock.servers, []));
  const changed = new Set(changes.map((change) => change.server));
  const keys = new Set([...before.lock.servers.keys(), ...after.lock.servers.keys()]);
  return buildReport({
    purpose: 'diff',
    failOn: options.failOn ?? 'any',
    lockfile: { path: after.shown, sha256: after.sha256 },
    durationMs: performance.now() - started,
    servers: [...keys].map((key) => {
      const [was, is] = [before.lock.servers.get(key), after.lock.servers.get(key)];
      return {
        key,
        status: !was ? 'new' : !is ? 'gone' : changed.has(key) ? 'drift' : 'match',
        source: is?.source,
        lockedSource: was?.source,
        transport: (is ?? was)?.transport,
        tools: (is ?? was)?.tools?.size ?? 0,
      };
    }),
    changes,
    findings: [],
    errors: [],
    info,
  });
}

async function readFile(io: Io, path: string): Promise<{ lock: Lock; shown: string; sha256: string }> {
  const absolute = resolve(io.cwd, path);
  const shown = displayPath(io.cwd, absolute);
  try {
    return { ...(await readLock(absolute, shown)), shown };
  } catch (error) {
    if (!(error instanceof AgentGateError) || error.code !== 'E_LOCK_MISSING') throw error;
    throw new AgentGateError(error.code, `there is no file ${shown}; diff takes the paths of two lock files`);
  }
}
