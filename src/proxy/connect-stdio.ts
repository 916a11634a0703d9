import { discover, initialize, type Refusal } from '../capture/handshake.ts';
import { installServer } from '../capture/install.ts';
import { lastWords } from '../capture/last-words.ts';
import { createPrivateFolders } from '../capture/private-folders.ts';
import { startServer } from '../capture/process.ts';
import type { ServerProcess } from '../capture/process-types.ts';
import { resolveSource } from '../capture/resolved-source.ts';
import type { StartOptions } from '../capture/start-options.ts';
import { StdioChannel } from '../capture/stdio-channel.ts';
import type { DeclaredServer, ResolvedStdio } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { type Begin, type Begun, beginSession, type Connection, type ConnectOptions } from './connection.ts';

/** Fetches and starts a stdio server; one that answers `initialize` with an error is started again, and asked the 2026 way. */
export async function connectStdio(
  declared: DeclaredServer,
  launch: ResolvedStdio,
  options: ConnectOptions,
): Promise<Connection> {
  const folders = await createPrivateFolders();
  try {
    const { isolation, policy } = options;
    const start: StartOptions = {
      // What it is asked to do must last; a check throws it away.
      keeps: [declared.root],
      ...(options.guarded === undefined ? {} : { guarded: options.guarded }),
      server: declared.key,
      folders,
      isolation,
      root: declared.root,
      passEnv: policy.passEnv,
      home: policy.home,
      network: policy.network,
      ...(options.env === undefined ? {} : { job: options.env }),
    };
    const limit = AbortSignal.timeout(options.installTimeoutMs);
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
    const installed = await installServer(launch, { ...start, signal });
    const first = await begin(installed.launch, start, initialize, options);
    const begun = 'refused' in first ? await begin(installed.launch, start, discover, options) : first;
    if ('refused' in begun)
      throw new AgentGateError(
        'E_PROTOCOL',
        `server refused both ways to begin: initialize (${'refused' in first ? first.refused : ''}) and server/discover (${begun.refused})`,
      );
    const { session, handshake, deadline, process } = begun;
    return {
      session,
      handshake,
      deadline,
      paths: process.paths,
      source: await resolveSource(options.source, launch, options.env),
      exited: process.exited,
      end: async () => {
        await session.close();
        await process.end();
        await folders.remove();
      },
    };
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

async function begin(
  launch: ResolvedStdio,
  start: StartOptions,
  how: Begin,
  options: ConnectOptions,
): Promise<(Begun & { process: ServerProcess }) | Refusal> {
  const process = await startServer(launch, start);
  try {
    const begun = await beginSession(new StdioChannel(process, undefined, true), how, options);
    if (!('refused' in begun)) return { ...begun, process };
    await process.end();
    return begun;
  } catch (error) {
    const said = lastWords(options.redact(process.stderrTail()));
    await process.end();
    if (!(error instanceof AgentGateError)) throw error;
    const more = said === undefined ? '' : `; its last words: ${visibleLine(said)}`;
    throw new AgentGateError(error.code, `${error.message}${more}`, error.place);
  }
}
