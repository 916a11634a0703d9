import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { refuseWhenStopped, stopSignal } from '../capture/running.ts';
import type { Isolation } from '../capture/types.ts';
import { findLock, LOCK_NAME } from '../lock/find.ts';
import type { Report } from '../report/model.ts';
import type { SurveyOptions } from '../survey.ts';
import { ahead } from '../util/ahead.ts';
import { writePartsAtomic } from '../util/atomic-file.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { collectGarbage, letGo } from '../util/garbage.ts';
import { withoutCommands } from '../util/log-safe.ts';
import { printableJson } from '../util/printable-json.ts';
import type { Io } from './io.ts';
import type { CommonOptions } from './options.ts';
import { createProgress } from './progress.ts';

/** The working directory of a command, absolute. Throws `E_CWD` when it is no folder. */
export function workingDirectory(io: Io, options: CommonOptions): string {
  const cwd = resolve(io.cwd, options.cwd ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return cwd;
  throw new AgentGateError('E_CWD', `there is no folder ${options.cwd ?? cwd}; correct --cwd`);
}

/** The lock's absolute path: the given one, else the nearest going up, else `agentgate.lock` here. */
export async function lockfilePath(io: Io, options: CommonOptions): Promise<string> {
  const cwd = workingDirectory(io, options);
  if (options.lockfile) return resolve(cwd, options.lockfile);
  return (await findLock(cwd)) ?? join(cwd, LOCK_NAME);
}

/**
 * Runs `work` with live progress and with Ctrl-C and SIGTERM turned into an abort, so that every started server
 * is ended before the process is. Throws `E_ABORTED` then.
 */
export async function withServers<T>(
  io: Io,
  options: CommonOptions,
  starts: 1 | 2,
  work: (survey: SurveyOptions) => Promise<T>,
): Promise<T> {
  checkOutput(io, options);
  const quiet = options.quiet === true;
  const progress = createProgress(io, { quiet });
  // For later, while servers start.
  const rendering = ahead(() => import('./render.ts'));
  try {
    const result = await work({
      cwd: workingDirectory(io, options),
      config: options.config,
      servers: options.server,
      allClients: options.allClients === true,
      // As the input of the action has it; `./true` is a folder.
      skills: options.skills === 'true' ? true : options.skills,
      timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
      concurrency: options.concurrency,
      isolation: (options.isolation ?? 'auto') satisfies Isolation,
      starts: options.starts ?? starts,
      env: io.env,
      onProgress: (event) => {
        if (event.state === 'starting') rendering.begin();
        progress.report(event);
      },
      signal: stopSignal(),
    });
    // What was interrupted is no result: nothing is shown or written of it.
    refuseWhenStopped();
    return result;
  } finally {
    progress.end();
  }
}

/** UTF-16 code units that are printed at once. */
const SLICE = 1 << 20;

/** Writes what a command prints, a text or its parts, to `--output`, or to standard output. */
export async function emit(io: Io, options: CommonOptions, text: string | Iterable<string>): Promise<void> {
  const parts = typeof text === 'string' ? [text] : text;
  if (options.output === undefined) return print(io, options, endedByNewline(parts));
  try {
    await writePartsAtomic(resolve(io.cwd, options.output), endedByNewline(parts));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : messageOf(error);
    throw cannotWrite(options.output, String(code));
  }
}

function cannotWrite(output: string, code: string): AgentGateError {
  const how =
    code === 'EISDIR' ? 'it is a folder: name a file in it' : 'its folder must be there and writable';
  return new AgentGateError('E_OUTPUT', `cannot write ${output} (${code}); ${how}`);
}

/** What `--output` names is looked at before servers are started, whose answers would be lost. */
function checkOutput(io: Io, { output }: CommonOptions): void {
  if (output === undefined) return;
  const path = resolve(io.cwd, output);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cannotWrite(output, 'EISDIR');
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory()) throw cannotWrite(output, 'ENOENT');
}

/** In slices that are waited for: the stream encodes what it gets, and all of it again takes as much memory again. */
async function print(io: Io, options: CommonOptions, parts: Iterable<string>): Promise<void> {
  for (const part of parts) {
    const printed = printable(part, options.format);
    for (let at = 0, end = 0; at < printed.length; at = end) {
      end = Math.min(at + SLICE, printed.length);
      if (end < printed.length && /[\uD800-\uDBFF]/.test(printed.charAt(end - 1))) end--;
      const slice = printed.slice(at, end);
      await new Promise<void>((done) => io.stdout.write(slice, () => done()));
      letGo(slice.length);
    }
    letGo(part.length);
  }
}

function* endedByNewline(parts: Iterable<string>): Generator<string> {
  let last = '';
  for (const part of parts) {
    yield part;
    last = part.at(-1) ?? last;
  }
  if (last !== '\n') yield '\n';
}

/**
 * The text for a terminal, or a log that a runner reads: nothing in it is a control code or a workflow command. JSON
 * stays the same JSON: what is hidden is escaped.
 */
function printable(text: string, format: CommonOptions['format']): string {
  return format === 'json' || format === 'sarif' ? printableJson(text) : withoutCommands(text);
}

/** Prints a report as the options say; what goes to a file is summed up on standard error. */
export async function emitReport(io: Io, options: CommonOptions, report: Report): Promise<void> {
  const { renderReport, summary } = await import('./render.ts');
  // The locks and surfaces that were compared are no longer needed.
  collectGarbage();
  await emit(io, options, await renderReport(report, options, io));
  if (options.output !== undefined) io.stderr.write(summary(report));
}
