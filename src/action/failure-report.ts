import { buildReport } from '../report/build.ts';
import type { Report } from '../report/model.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';

/** What could not even be begun, as a report: `unchecked` in every output, as any incomplete answer is. */
export function failureReport(error: unknown, lockfile: string, context: Report['context']): Report {
  const known = error instanceof AgentGateError;
  const { file, line, column } = known ? error.place : {};
  const code = known ? error.code : 'E_INTERNAL';
  return buildReport({
    failOn: 'any',
    lockfile: { path: lockfile, sha256: null },
    context,
    durationMs: 0,
    servers: [],
    changes: [],
    findings: [],
    errors: [{ code, message: messageOf(error), file, line, column }],
    info: [],
  });
}
