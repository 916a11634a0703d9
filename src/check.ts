import { relative, resolve, sep } from 'node:path';
import type { HeadLock } from './accepted.ts';
import type { Base } from './base-files.ts';
import { loadPolicy } from './config/policy.ts';
import type { FailOn } from './config/types.ts';
import type { SurfaceSearch } from './findings/surface-search.ts';
import { readLock } from './lock/read-file.ts';
import type { Report, ReportError } from './report/model.ts';
import { loadDeclared, type Survey, type SurveyOptions, survey } from './survey.ts';
import { ahead } from './util/ahead.ts';
import { append } from './util/append.ts';
import { AgentGateError, messageOf } from './util/errors.ts';

export interface CheckOptions extends SurveyOptions {
  /** Relative to `cwd`, or absolute. */
  lockfile: string;
  /** Overrides the policy. */
  failOn?: FailOn;
  /** The pull request's base, for what it accepts and for what it touched; awaited while servers run. */
  base?: Base | Promise<Base | undefined>;
  context?: Report['context'];
}

export interface CheckResult {
  report: Report;
  /** Values from the environment that must be masked wherever text goes. */
  secrets: string[];
}

/**
 * The one pipeline behind `agentgate ci` and the action: read the lock, start and list every declared server,
 * compare, look for findings, and put it all into a report. Never throws for what a server, config, policy or
 * lock does: such things are errors of the report, whose verdict is then `unchecked`.
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const started = performance.now();
  const path = resolve(options.cwd, options.lockfile);
  const shown = displayPath(options.cwd, path);
  const errors: ReportError[] = [];
  const baseKnown = Promise.resolve(options.base);
  // Awaited only after the survey: until then a rejection has nobody to go to.
  baseKnown.catch(() => undefined);
  const lock = await readHeadLock(path, shown, errors);
  // The other half of the pipeline loads while servers start.
  const half = ahead(() => import('./conclude.ts'));
  let search: SurfaceSearch | undefined;
  let surveyed: Survey | undefined;
  if (lock.value) {
    try {
      surveyed = await survey({
        ...options,
        pinned: lock.value.servers.keys(),
        onProgress: (event) => {
          if (event.state === 'starting') half.begin();
          options.onProgress?.(event);
        },
        onPinned: (key, entry) => {
          half.get().then(
            ({ surfaceSearch }) => {
              search ??= surfaceSearch();
              search.begin(key, entry);
            },
            // Said below.
            () => undefined,
          );
        },
      });
    } catch (error) {
      errors.push(reportError(error));
    }
  } else append(errors, await configErrors(options));
  const base = await baseKnown;
  const { conclude } = await half.get();
  const report = await conclude({ options, shown, lock, surveyed, search, base, errors, started });
  return { report, secrets: surveyed?.secrets ?? [] };
}

/** Without a lock nothing is started, but a broken config is still said. */
async function configErrors(options: CheckOptions): Promise<ReportError[]> {
  try {
    await loadPolicy(options.cwd);
    const { errors } = await loadDeclared(options);
    return errors.map(({ code, message, file, line, column }) => ({ code, message, file, line, column }));
  } catch (error) {
    return [reportError(error)];
  }
}

async function readHeadLock(path: string, shown: string, errors: ReportError[]): Promise<HeadLock> {
  try {
    const { lock, lines, sha256, size } = await readLock(path, shown);
    return { lines, sha256, size, value: lock, present: true };
  } catch (error) {
    const problem = reportError(error);
    errors.push({ ...problem, file: problem.file ?? shown });
    return { present: problem.code !== 'E_LOCK_MISSING' };
  }
}

export function reportError(error: unknown): ReportError {
  if (!(error instanceof AgentGateError)) return { code: 'E_INTERNAL', message: messageOf(error) };
  const { file, line, column } = error.place;
  return { code: error.code, message: error.message, file, line, column };
}

export function displayPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}
