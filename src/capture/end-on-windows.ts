import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const OPTIONS = { windowsHide: true, stdio: 'ignore' } as const;

/** Kills a process with all that it started and that is still its descendant, as far as Windows knows; waits for the killer alone. */
export async function killTree(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    const killer = spawn(taskkill(), killArguments(child), OPTIONS);
    killer.once('error', () => resolve());
    killer.once('exit', () => resolve());
  });
  // Where it could not: at least the server itself.
  child.kill('SIGKILL');
}

/** As {@link killTree}, while this process ends. */
export function killTreeSync(child: ChildProcess): void {
  spawnSync(taskkill(), killArguments(child), OPTIONS);
  child.kill('SIGKILL');
}

/** By its path: a bare name is looked up in the working directory first on Windows, and a checkout fills that. */
function taskkill(): string {
  return join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
}

function killArguments(child: ChildProcess): string[] {
  return ['/pid', String(child.pid), '/T', '/F'];
}
