/**
 * Stands for a job that runs AgentGate: starts one server and prints what happens, a line of JSON each. Run as a process
 * of its own, since what is in a process' environment from the start is what `/proc/<pid>/environ` shows.
 * Argument: `JobInput` as JSON.
 */
import { createInterface } from 'node:readline';
import { createPrivateFolders } from '../../src/capture/private-folders.ts';
import { startServer } from '../../src/capture/process.ts';
import { installSignalHandlers } from '../../src/capture/running.ts';
import type { Isolation } from '../../src/capture/types.ts';

export interface JobInput {
  command: string;
  args: string[];
  cwd: string;
  root?: string;
  isolation: Isolation;
  env?: Record<string, string>;
  network?: 'inherit' | 'none';
  home?: 'private' | 'inherit';
  /** Lets the server run until this process is ended from outside. */
  stay?: boolean;
}

const input = JSON.parse(process.argv[2] ?? '') as JobInput;
installSignalHandlers();
const folders = await createPrivateFolders();
try {
  const server = await startServer(
    {
      transport: 'stdio',
      command: input.command,
      args: input.args,
      env: new Map(Object.entries(input.env ?? {})),
      cwd: input.cwd,
    },
    {
      server: 'tested',
      folders,
      isolation: input.isolation,
      ...(input.root === undefined ? {} : { root: input.root }),
      ...(input.network === undefined ? {} : { network: input.network }),
      ...(input.home === undefined ? {} : { home: input.home }),
    },
  );
  console.log(JSON.stringify({ isolation: server.isolation, pid: server.pid, folders: folders.root }));
  const lines = createInterface({ input: server.stdout });
  lines.on('line', (line) => {
    console.log(JSON.stringify({ line }));
    if (input.stay !== true) void stop();
  });
  const { code, signal } = await server.exited;
  console.log(JSON.stringify({ code, signal, stderr: server.stderrTail() }));
  async function stop(): Promise<void> {
    await server.end();
  }
  await server.end();
} finally {
  await folders.remove();
}
