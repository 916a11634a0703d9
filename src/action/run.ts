import { setMaxListeners } from 'node:events';
import { relative, resolve } from 'node:path';
import type { CheckOptions, CheckResult } from '../check.ts';
import { hideSecrets } from '../report/hide-secrets.ts';
import type { Report } from '../report/model.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { logSafe } from '../util/log-safe.ts';
import { slashed } from '../util/paths.ts';
import { type Api, connect } from './api.ts';
import { findBase } from './base-lock.ts';
import { assertTrusted, type EventContext, readEvent } from './event.ts';
import { failureReport } from './failure-report.ts';
import { type Inputs, readInputs, unknownInputs } from './inputs.ts';
import { findPlaces, type Places, temporaryFolder } from './places.ts';
import { postComment } from './post-comment.ts';
import { loadCore, log } from './toolkit.ts';
import { maskSecrets, setOutput, writeResult } from './write.ts';

/** What a run needs from outside; tests give their own check. */
export interface RunDeps {
  env: NodeJS.ProcessEnv;
  check(options: CheckOptions): Promise<CheckResult>;
}

/** The runner's way to cancel a job: SIGINT, 7.5 s later SIGTERM, 2.5 s later the end. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs the action and gives the exit code: 0, 1 or 2 (`DESIGN.md` §8), or 128 and the signal's number when the job
 * was cancelled. Verdict, outputs, annotations and summary come first; the comment comes last and changes none of
 * them. Never throws.
 */
export async function run(deps: RunDeps): Promise<number> {
  const cancel = new AbortController();
  setMaxListeners(0, cancel.signal);
  let signalCode: number | undefined;
  const stop = (signal: keyof typeof SIGNALS): void => {
    signalCode = SIGNALS[signal];
    cancel.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const code = await act(deps, cancel.signal);
    return signalCode ?? code;
  } catch (error) {
    if (signalCode !== undefined) return signalCode;
    return await fail(error, deps);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function act(deps: RunDeps, signal: AbortSignal): Promise<number> {
  const { env } = deps;
  const inputs = readInputs(env);
  await warnOfUnknownInputs(env);
  const event = readEvent(env);
  const places = await findPlaces(inputs, event.workspace, env);
  const api = connectOnce(inputs.githubToken, env);
  if (inputs.mode === 'comment') return postForeignReport({ deps, inputs, event, places, api });
  assertTrusted(event, inputs.allowUntrustedCode);
  const { report: found, secrets } = await checkHere({ deps, inputs, event, places, api, signal });
  if (signal.aborted) throw new AgentGateError('E_CANCELLED', 'the job was cancelled');
  const core = await loadCore();
  maskSecrets(core, [inputs.githubToken, ...secrets]);
  const report = hideSecrets(found, [inputs.githubToken, ...secrets]);
  await writeResult(report, { env, core, report: places.report, sarif: places.sarif });
  // From here on nothing changes the verdict, not even an end that nobody foresaw.
  process.exitCode = report.exitCode;
  const url = await postComment({ report, inputs, event, api, core });
  if (url) setOutput({ env, core }, 'comment-url', url);
  return report.exitCode;
}

interface Work {
  deps: RunDeps;
  inputs: Inputs;
  event: EventContext;
  places: Places;
  api: (() => Promise<Api>) | undefined;
}

async function checkHere(work: Work & { signal: AbortSignal }): Promise<CheckResult> {
  const { deps, inputs, event, places, signal } = work;
  const { env } = deps;
  const lockfile = slashed(relative(places.cwd, resolve(places.cwd, inputs.lockfile)));
  // Looked for while the servers run.
  const answer = findBase({ event, cwd: places.cwd, lockfile, env, api: work.api });
  const base = answer.then((found) => found.base);
  base.catch(() => undefined);
  const context = reportContext(event, places.workingDirectory);
  let result: CheckResult;
  try {
    result = await deps.check({
      cwd: places.cwd,
      config: inputs.config.length > 0 ? inputs.config : undefined,
      lockfile,
      servers: inputs.servers.length > 0 ? inputs.servers : undefined,
      allClients: inputs.allClients,
      skills: inputs.skills === 'true' ? true : inputs.skills,
      failOn: inputs.failOn,
      timeoutMs: inputs.timeoutMs,
      concurrency: inputs.concurrency,
      isolation: inputs.isolation,
      starts: 1,
      env,
      base,
      context,
      onProgress: ({ server, state, text }) => {
        if (state === 'done' || state === 'failed' || state === 'skipped')
          log(`${visibleLine(server)}: ${text === undefined ? state : `${state}, ${visibleLine(text)}`}`);
      },
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    result = { report: failureReport(error, lockfile, context), secrets: [] };
  }
  const { problem } = await answer;
  if (problem === undefined) return result;
  const message = `what this pull request accepts is not shown: the lock on its base ${problem}`;
  log(message);
  const info = [...result.report.info, { code: 'base-unknown', message }];
  return { ...result, report: { ...result.report, info } };
}

async function postForeignReport(work: Work): Promise<number> {
  const { deps, inputs, event, places, api } = work;
  const core = await loadCore();
  maskSecrets(core, [inputs.githubToken]);
  // With the report's validator, which a check never loads.
  const { readForeignReport } = await import('./foreign-report.ts');
  const foreign = await readForeignReport({ inputs, event, api, cwd: places.cwd });
  if (!foreign.report) {
    core.notice(logSafe(foreign.reason), { title: 'AgentGate' });
    return 0;
  }
  const { report, event: target } = foreign;
  const url = await postComment({ report, inputs, event: target, api, core });
  if (url) setOutput({ env: deps.env, core }, 'comment-url', url);
  return 0;
}

/** One connection, made when it is first needed. */
function connectOnce(token: string, env: NodeJS.ProcessEnv): (() => Promise<Api>) | undefined {
  if (token === '') return undefined;
  let connection: Promise<Api> | undefined;
  return () => {
    connection ??= connect(token, env);
    return connection;
  };
}

function reportContext(event: EventContext, workingDirectory: string): Report['context'] {
  const { name, repository, runUrl, pullRequest } = event;
  return {
    event: name,
    repository,
    workingDirectory,
    ...(runUrl === undefined ? {} : { runUrl }),
    ...(pullRequest === undefined
      ? {}
      : {
          pullRequest: {
            number: pullRequest.number,
            head: pullRequest.head.sha,
            base: pullRequest.base.sha,
          },
        }),
  };
}

async function warnOfUnknownInputs(env: NodeJS.ProcessEnv): Promise<void> {
  const unknown = unknownInputs(env);
  if (unknown.length === 0) return;
  const core = await loadCore();
  for (const input of unknown)
    core.warning(logSafe(`there is no input ${visibleLine(input)}; see action.yml for their names`), {
      title: 'AgentGate',
    });
}

/** What could not even be begun is `unchecked` in every output, as any incomplete answer is. */
async function fail(error: unknown, deps: RunDeps): Promise<number> {
  process.exitCode = 2;
  const core = await loadCore();
  try {
    if (!(error instanceof AgentGateError) && core.isDebug() && error instanceof Error)
      log(error.stack ?? '');
    const folder = await temporaryFolder(deps.env);
    await writeResult(failureReport(error, 'agentgate.lock', undefined), {
      env: deps.env,
      core,
      report: resolve(folder, 'report.json'),
      sarif: resolve(folder, 'report.sarif'),
    });
  } catch (second) {
    core.error(logSafe(`${messageOf(error)} (${messageOf(second)})`), { title: 'AgentGate' });
  }
  return 2;
}
