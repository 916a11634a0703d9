import type { DeclaredServer, ResolvedRemote, ResolvedStdio } from '../config/types.ts';
import { connectRemote } from './connect-remote.ts';
import { connectStdio } from './connect-stdio.ts';
import type { Connection, ConnectOptions } from './connection.ts';

/**
 * Starts a declared server, or connects to it, as a capture does, and leaves the session open. Throws `AgentGateError`s;
 * nothing is left running then.
 */
export async function connect(
  declared: DeclaredServer,
  launch: ResolvedStdio | ResolvedRemote,
  options: ConnectOptions,
): Promise<Connection> {
  return launch.transport === 'stdio'
    ? await connectStdio(declared, launch, options)
    : await connectRemote(launch, options);
}
