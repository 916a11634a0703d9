import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { SETUP_FAILED } from './isolate-script.ts';
import { createPrivateFolders, type PrivateFolders } from './private-folders.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { type Mechanism, writeSandboxPlan } from './sandbox-plan.ts';
import { sandboxView, type ViewInput } from './sandbox-view.ts';
import { sealedStdio } from './sealed-stdio.ts';
import { keepTail } from './stderr-tail.ts';
import type { Isolation } from './types.ts';

/** What this machine can do. `mechanism` is absent where servers cannot be isolated; `reason` says why. */
export interface IsolationProbe {
  mechanism?: Mechanism;
  /** False: the working directory can only be shown read-only. */
  overlay: boolean;
  reason?: string;
}

export interface Program {
  command: string;
  args: string[];
  env: Map<string, string>;
  cwd: string;
}

const PROBE_LIMIT_MS = 15_000;
const TOOLS = ['unshare', 'setpriv', 'mount', 'umount', 'pivot_root', 'mkdir', 'head', 'env'];
const TOOL_FOLDERS = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];

let probed: Promise<IsolationProbe> | undefined;

/**
 * Finds out, once per process, how servers can be isolated here: by trying it with a program that checks itself. Throws
 * `E_ISOLATION` when the try itself failed (a full disk, no answer): that says nothing about what the machine can do,
 * and must not end in servers that run without isolation.
 */
export function probeIsolation(): Promise<IsolationProbe> {
  probed ??= probe();
  return probed;
}

/**
 * How a server is to run: the machine's isolation, or `undefined` for none, with the words for the report. Throws
 * `E_ISOLATION` when `strict` cannot be met, or when it could not be found out what can be done.
 */
export async function chooseIsolation(
  isolation: Isolation,
  server: string,
): Promise<{ probe?: IsolationProbe & { mechanism: Mechanism }; label: string }> {
  if (isolation === 'none') return { label: 'none' };
  const found = await probeIsolation();
  const { mechanism } = found;
  if (mechanism !== undefined) {
    return {
      probe: { ...found, mechanism },
      label: found.overlay ? 'namespaces' : 'namespaces (folder read-only)',
    };
  }
  if (isolation === 'auto') return { label: `none (${found.reason})` };
  throw new AgentGateError(
    'E_ISOLATION',
    `Server ${server} was not started, since it cannot be isolated here (${found.reason}) and isolation is strict; ` +
      'run on Linux with util-linux as root or with passwordless sudo, or use isolation auto.',
    { server },
  );
}

/**
 * Starts a program in a sandbox below `folders.root`. Its standard streams are piped; what it sees is `view`. The
 * caller ends it by `endIsolated`.
 */
export function spawnIsolated(
  program: Program,
  view: ViewInput,
  probe: IsolationProbe & { mechanism: Mechanism },
  network: 'inherit' | 'none',
  folders: Pick<PrivateFolders, 'root'>,
): ChildProcess {
  const plan = writeSandboxPlan(folders.root, sandboxView(view), probe.mechanism, probe.overlay);
  const { file, args, input } = sandboxCommand(program, plan, {
    mechanism: probe.mechanism,
    network,
    keepGroups: view.docker,
  });
  // An environment of its own: nothing that a config sets may reach a program that still has privilege.
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: TOOL_FOLDERS.join(':') },
    stdio: sealedStdio(),
    detached: true,
  });
  child.once('close', plan.release);
  child.once('error', plan.release);
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(input);
  return child;
}

/** The error behind an exit of the set-up itself; `undefined` when it was the server that ended. */
export function setupError(code: number | null, stderr: string, server: string): AgentGateError | undefined {
  if (code !== SETUP_FAILED || !stderr.includes('agentgate: isolation could not be set up')) return undefined;
  return new AgentGateError(
    'E_ISOLATION',
    `Server ${server} was not started, since its isolation could not be set up; see its messages, or use isolation none ` +
      'for a server that you trust.',
    { server },
  );
}

async function probe(): Promise<IsolationProbe> {
  if (process.platform !== 'linux')
    return { overlay: false, reason: `${process.platform} has no namespaces` };
  const missing = TOOLS.find((tool) => !TOOL_FOLDERS.some((folder) => existsSync(join(folder, tool))));
  if (missing !== undefined)
    return { overlay: false, reason: `${missing} of util-linux or coreutils is missing` };
  const candidates: Mechanism[] =
    process.getuid?.() === 0 ? ['root'] : existsSync('/usr/bin/sudo') ? ['sudo'] : [];
  candidates.push('user-namespace');
  let reason = '';
  for (const mechanism of candidates) {
    for (const overlay of [true, false]) {
      const failure = await attempt(mechanism, overlay);
      if (failure === undefined) return { mechanism, overlay };
      reason = `${mechanism}: ${failure}`;
      // Without the privilege itself, the overlay makes no difference.
      if (!failure.includes('mounts')) break;
    }
  }
  return { overlay: false, reason };
}

/** Runs a shell in a sandbox that looks at itself. Gives what went wrong, in a few words. */
async function attempt(mechanism: Mechanism, overlay: boolean): Promise<string | undefined> {
  const folders = await createPrivateFolders();
  try {
    const check =
      `[ $$ = 1 ] && [ "$(grep -cE '^(Cap(Inh|Prm|Eff|Bnd|Amb):.0+|NoNewPrivs:.1)$' /proc/self/status)" = 6 ] && ` +
      `[ -n "$(cat /proc/1/stat)" ] && : >"$TMPDIR/x" && echo isolated`;
    const program = {
      command: '/bin/sh',
      args: ['-c', check],
      env: new Map([
        ['PATH', '/usr/bin:/bin'],
        ['TMPDIR', folders.tmpdir],
      ]),
      cwd: process.cwd(),
    };
    const view: ViewInput = {
      job: process.env,
      cwd: program.cwd,
      root: program.cwd,
      writable: [folders.home, folders.tmpdir],
      overlays: [],
      readOnly: [],
      declared: [],
      home: 'private',
      docker: false,
    };
    const child = spawnIsolated(program, view, { mechanism, overlay }, 'inherit', folders);
    return await outcome(child);
  } catch (error) {
    throw error instanceof AgentGateError ? error : probeFailed(messageOf(error));
  } finally {
    await folders.remove();
  }
}

function probeFailed(why: string): AgentGateError {
  return new AgentGateError(
    'E_ISOLATION',
    `It could not be found out whether servers can be isolated here (${why}); run again, or use isolation none for ` +
      'servers that you trust.',
  );
}

function outcome(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let out = '';
    const stderr = child.stderr === null ? () => '' : keepTail(child.stderr);
    child.stdout?.on('data', (chunk) => {
      out += String(chunk).slice(0, 100);
    });
    const timer = setTimeout(() => {
      child.stdin?.end();
      child.kill('SIGKILL');
      reject(probeFailed('no answer in time'));
    }, PROBE_LIMIT_MS);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      child.stdin?.destroy();
      const lines = stderr().trim().split('\n');
      resolve(out.trim() === 'isolated' ? undefined : (lines.at(-1) || `exit code ${code}`).slice(0, 200));
    });
  });
}
