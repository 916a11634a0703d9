import { Command } from 'commander';
import { endAll, installSignalHandlers } from '../../capture/running.ts';
import type { Io } from '../../cli/io.ts';
import { addOptions, type CommonOptions } from '../../cli/options.ts';
import { errorLine, type Finish } from '../../cli/run-program.ts';
import { workingDirectory } from '../../cli/shared.ts';
import { serveAgentHttp } from '../../proxy/agent-http.ts';
import type { GatewayOrError } from '../../proxy/agent-session.ts';
import type { Gateway } from '../../proxy/gateway.ts';
import { bearerOf, parseListen } from '../../proxy/http-listener.ts';
import { openGateway } from '../../proxy/open-gateway.ts';
import { serveStdio } from '../../proxy/stdio.ts';
import { AgentGateError, messageOf } from '../../util/errors.ts';
import { logSafe } from '../../util/log-safe.ts';

interface ProxyOptions extends Omit<CommonOptions, 'server'> {
  server: string;
  listen?: string;
}

/** Variable with the secret that clients of `--listen` must bear. */
const SECRET = 'AGENTGATE_PROXY_SECRET';

/** `agentgate proxy --server KEY`: what a client's config starts in place of the server. */
export function proxyCommand(io: Io, finish: Finish): Command {
  const command = new Command('proxy')
    .description('Stand in front of one declared server and forward only what the lock holds.')
    .requiredOption('--server <key>', 'The declared server, by its key in the lock.')
    .option(
      '--listen <address>',
      'Serve Streamable HTTP at 127.0.0.1:PORT instead of standard streams, until a signal ends it; for who bears AGENTGATE_PROXY_SECRET, if that is set.',
    )
    .action(async (options: ProxyOptions) => {
      const listen = options.listen === undefined ? undefined : parseListen(options.listen);
      finish(await runProxy(io, options, listen));
    });
  return addOptions(command, [
    '--config',
    '--lockfile',
    '--cwd',
    '--all-clients',
    '--timeout',
    '--isolation',
    '--verbose',
  ]);
}

async function runProxy(
  io: Io,
  options: ProxyOptions,
  listen: { host: string; port: number } | undefined,
): Promise<number> {
  const say = (text: string): void => {
    io.stderr.write(`${logSafe(text)}\n`);
  };
  const removeHandlers = installSignalHandlers();
  let gateway: Gateway | undefined;
  const started = openGateway({
    cwd: workingDirectory(io, { cwd: options.cwd }),
    server: options.server,
    config: options.config,
    allClients: options.allClients === true,
    isolation: options.isolation ?? 'auto',
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    lockfile: options.lockfile,
    env: io.env,
    notice: (text) => say(`agentgate: ${text}`),
  }).then(
    (opened): GatewayOrError => {
      gateway = opened;
      return { gateway: opened };
    },
    (error: unknown): GatewayOrError => {
      say(errorLine(error));
      return {
        error: error instanceof AgentGateError ? error : new AgentGateError('E_INTERNAL', messageOf(error)),
      };
    },
  );
  try {
    if (listen === undefined) await serveStdio(started, io.stdin, io.stdout);
    else {
      const opened = await started;
      // Nobody would see why each request is refused.
      if ('error' in opened) return 2;
      const secret = io.env[SECRET]?.trim() ?? '';
      const served = await serveAgentHttp(started, listen, secret === '' ? undefined : bearerOf(secret));
      const who = secret === '' ? 'any client of this machine' : `clients that bear ${SECRET}`;
      say(`agentgate: proxy of ${options.server} at ${served.url}, for ${who}`);
      // Until a signal ends it, whatever its standard input is.
      await new Promise<never>(() => {});
    }
    return 'error' in (await started) ? 2 : 0;
  } finally {
    await gateway?.end();
    await endAll();
    removeHandlers();
  }
}
