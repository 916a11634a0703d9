import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../../../src/report/model.ts';
import { sharedDir } from '../shared.ts';

const root = resolve(import.meta.dirname, '../../..');
const OWN_NODE = join(root, 'node_modules/node/bin/node');
/** The project's own Node strips types; the machine's may not. */
export const NODE = existsSync(OWN_NODE) ? OWN_NODE : process.execPath;
/** `AGENTGATE_CLI=dist/cli/index.js` and `AGENTGATE_ACTION=dist/index.js` take the bundles. */
export const CLI = resolve(root, process.env.AGENTGATE_CLI ?? 'src/cli/index.ts');
export const ACTION = resolve(root, process.env.AGENTGATE_ACTION ?? 'src/action/index.ts');

export type Entry = 'ci' | 'lock' | 'action';
export type Isolation = 'auto' | 'none';

export interface ServerOfProject {
  /** A script of node with its arguments: how it behaves, not what the config declares. */
  runs: readonly string[];
  /** In the place of that. */
  launch?: { command: string; args: string[] };
  /** Declared arguments beside the key. */
  args?: string[];
  env?: Record<string, string>;
  /** Seconds. */
  timeout?: number;
  installTimeout?: number;
}

const RUN_AS = join(root, 'test/support/servers/run-as.mjs');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  ms: number;
  /** The most memory that the process itself ever had (VmHWM), in MiB; 0 where there is no /proc. */
  peakMiB: number;
}

export interface Started {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Where the action leaves its report; the command line prints it. */
  report(ended: Ended): Report;
}

/** A workspace with declared servers, and a temporary folder that nothing else uses, so that what is left can be found. */
export class Project {
  readonly folder: string;
  readonly workspace: string;
  readonly tmp: string;
  readonly runnerTemp: string;

  constructor(servers: ReadonlyMap<string, ServerOfProject>) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'strangers-')));
    this.workspace = join(this.folder, 'workspace');
    this.tmp = join(this.folder, 'tmp');
    this.runnerTemp = join(this.folder, 'runner');
    for (const path of [this.workspace, this.tmp, this.runnerTemp, join(this.folder, 'home')])
      mkdirSync(path);
    mkdirSync(join(this.workspace, '.git'));
    mkdirSync(join(this.workspace, 'modes'));
    this.declare(servers);
  }

  /** Keys are file names, too. */
  declare(servers: ReadonlyMap<string, ServerOfProject>): void {
    const entries = [...servers].map(([key, { runs, launch, args = [], env }]) => {
      this.write(`modes/${key}.json`, JSON.stringify(runs));
      // Named so that an isolated server sees it, also where all of this lies below a temporary folder.
      const shared = sharedDir() ?? '';
      return [key, { ...(launch ?? { command: NODE, args: [RUN_AS, key, shared, ...args] }), env }];
    });
    this.write('.mcp.json', `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, null, 1)}\n`);
    const lines = [...servers].flatMap(([key, { timeout, installTimeout }]) => {
      const limits = [
        ...(timeout === undefined ? [] : [`timeout: ${timeout}`]),
        ...(installTimeout === undefined ? [] : [`install-timeout: ${installTimeout}`]),
      ];
      return limits.length === 0 ? [] : [`  ${JSON.stringify(key)}: { ${limits.join(', ')} }`];
    });
    this.write(
      'agentgate.yml',
      ['version: 1', ...(lines.length > 0 ? ['servers:', ...lines] : []), ''].join('\n'),
    );
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.workspace, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.workspace, name), 'utf8');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Starts the command line or the action on this workspace, as a process of its own. */
  start(
    entry: Entry,
    options: {
      isolation?: Isolation;
      args?: string[];
      env?: Record<string, string>;
      concurrency?: number;
    } = {},
  ): Started {
    const { isolation = 'auto', args = [], env = {}, concurrency } = options;
    const reportFile = join(this.runnerTemp, 'report.json');
    const variables: Record<string, string> = {
      PATH: process.env.PATH ?? '',
      HOME: join(this.folder, 'home'),
      TMPDIR: this.tmp,
      ...env,
    };
    const command: string[] = [];
    if (entry === 'action') {
      const inputs = {
        isolation,
        comment: 'never',
        'fail-on': 'any',
        report: reportFile,
        ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
      };
      for (const [name, value] of Object.entries(inputs)) variables[`INPUT_${name.toUpperCase()}`] = value;
      rmSync(reportFile, { force: true });
      writeFileSync(join(this.runnerTemp, 'event.json'), '{}');
      Object.assign(variables, {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_EVENT_NAME: 'push',
        GITHUB_EVENT_PATH: join(this.runnerTemp, 'event.json'),
        GITHUB_REPOSITORY: 'acme/app',
        GITHUB_WORKSPACE: this.workspace,
        RUNNER_TEMP: this.runnerTemp,
      });
      command.push(ACTION);
    } else {
      command.push(CLI, entry, '--isolation', isolation, '--format', 'json');
      if (entry === 'lock') command.push('--yes');
      if (concurrency !== undefined) command.push('--concurrency', String(concurrency));
    }
    const from = performance.now();
    const child = spawn(NODE, [...command, ...args], {
      cwd: this.workspace,
      env: variables,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      texts.stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      texts.stderr += chunk;
    });
    let peakMiB = 0;
    const watch = setInterval(() => {
      peakMiB = Math.max(peakMiB, peakOf(child.pid));
    }, 20);
    const ended = new Promise<Ended>((done, failed) => {
      child.once('error', failed);
      child.once('close', (code, signal) => {
        clearInterval(watch);
        done({ code, signal, ...texts, ms: Math.round(performance.now() - from), peakMiB });
      });
    });
    const report = ({ stdout, stderr }: Ended): Report => {
      const text = entry === 'action' && existsSync(reportFile) ? readFileSync(reportFile, 'utf8') : stdout;
      try {
        return JSON.parse(text) as Report;
      } catch {
        throw new Error(`no report; stdout: ${stdout.slice(0, 2000)}; stderr: ${stderr.slice(0, 2000)}`);
      }
    };
    return { process: child, ended, report };
  }

  /** As {@link start}, to its end. */
  async run(
    entry: Entry,
    options: Parameters<Project['start']>[1] = {},
  ): Promise<{ ended: Ended; report: Report }> {
    const started = this.start(entry, options);
    const ended = await started.ended;
    return { ended, report: started.report(ended) };
  }
}

/** `VmHWM` of a process, in MiB. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
