import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { COMPILE_CACHE } from '../compile-cache.ts';
import { OWNER, REPO } from './github-api.ts';
import { type RunnerCommand, runnerCommands } from './runner-log.ts';

const root = resolve(import.meta.dirname, '../../..');
/** The whole action; `AGENTGATE_ACTION=dist/index.js` takes the bundle. */
export const ACTION = resolve(root, process.env.AGENTGATE_ACTION ?? 'src/action/index.ts');
/** The same action with a prepared report in the place of the check. */
export const PREPARED = join(root, 'test/support/github/prepared-entry.ts');
/** The runtime that `action.yml` names. */
const NODE_24 = join(root, 'node_modules/node/bin/node');
/** Longer than any run here; a hang fails the test with its output. */
const TIMEOUT_MS = 45_000;

export interface ActionRun {
  entry: string;
  event: { name: string; payload: unknown };
  workspace: string;
  inputs?: Record<string, string>;
  /** On top of the runner's variables; undefined removes one. */
  env?: Record<string, string | undefined>;
  /** Sent once the log holds `after`. */
  signal?: { name: NodeJS.Signals; after: string };
}

export interface ActionResult {
  exitCode: number | null;
  /** stdout and stderr as they came. */
  log: string;
  outputs: Record<string, string>;
  summary: string;
  commands: RunnerCommand[];
  /** Commands of the three annotation levels. */
  annotations: RunnerCommand[];
  masks: string[];
  /** The runner's temporary folder of this run. */
  temp: string;
}

/** Defaults of `action.yml`, which the runner hands over for inputs that a workflow does not give. */
const DEFAULTS: Record<string, string> = {
  config: '',
  lockfile: 'agentgate.lock',
  'working-directory': '.',
  servers: '',
  'all-clients': 'false',
  skills: '',
  'fail-on': '',
  timeout: '60',
  concurrency: '',
  isolation: 'auto',
  comment: 'auto',
  'comment-id': '',
  mode: 'check',
  report: '',
  sarif: '',
  'github-token': 'job-token',
  'allow-untrusted-code': 'false',
};

/** Runs the action in a process of its own, with the variables and files that the runner would give it. */
export async function runAction(run: ActionRun): Promise<ActionResult> {
  const temp = mkdtempSync(join(tmpdir(), 'agentgate-runner-'));
  const files = {
    GITHUB_OUTPUT: join(temp, 'output'),
    GITHUB_STEP_SUMMARY: join(temp, 'summary'),
    GITHUB_EVENT_PATH: join(temp, 'event.json'),
    RUNNER_TEMP: join(temp, 'temp'),
  };
  mkdirSync(files.RUNNER_TEMP);
  writeFileSync(files.GITHUB_OUTPUT, '');
  writeFileSync(files.GITHUB_STEP_SUMMARY, '');
  writeFileSync(files.GITHUB_EVENT_PATH, JSON.stringify(run.event.payload));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: temp,
    ...COMPILE_CACHE,
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: 'octavia',
    GITHUB_EVENT_NAME: run.event.name,
    GITHUB_REPOSITORY: `${OWNER}/${REPO}`,
    GITHUB_RUN_ID: '4711',
    GITHUB_SHA: '0'.repeat(40),
    GITHUB_WORKSPACE: run.workspace,
    ...files,
    ...inputVariables({ ...DEFAULTS, ...run.inputs }),
    ...run.env,
  };
  for (const [name, value] of Object.entries(env)) if (value === undefined) delete env[name];
  const { exitCode, log } = await runProcess(run, env);
  const commands = runnerCommands(log);
  return {
    exitCode,
    log,
    outputs: parseOutputs(readFileSync(files.GITHUB_OUTPUT, 'utf8')),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    commands,
    annotations: commands.filter(({ command }) => ['error', 'warning', 'notice'].includes(command)),
    masks: commands.filter(({ command }) => command === 'add-mask').map(({ message }) => message),
    temp,
  };
}

function inputVariables(inputs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      value,
    ]),
  );
}

function runProcess(
  run: ActionRun,
  env: NodeJS.ProcessEnv,
): Promise<{ exitCode: number | null; log: string }> {
  const node = existsSync(NODE_24) ? NODE_24 : process.execPath;
  const child = spawn(node, [run.entry], { cwd: run.workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  let signalled = false;
  const take = (chunk: Buffer): void => {
    log += chunk.toString('utf8');
    if (run.signal && !signalled && log.includes(run.signal.after)) {
      signalled = true;
      child.kill(run.signal.name);
    }
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      failed(new Error(`the action did not end within ${TIMEOUT_MS} ms; it printed:\n${log}`));
    }, TIMEOUT_MS);
    child.on('error', failed);
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      done({ exitCode, log });
    });
  });
}

/** `name<<delimiter`, value, delimiter: the form that the toolkit writes. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const [, name, delimiter] = /^(.+?)<<(.+)$/.exec(lines[i] ?? '') ?? [];
    if (name === undefined || delimiter === undefined) continue;
    const end = lines.indexOf(delimiter, i + 1);
    outputs[name] = lines.slice(i + 1, end).join('\n');
    i = end;
  }
  return outputs;
}
