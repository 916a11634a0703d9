import { endAll, installSignalHandlers } from '../../capture/running.ts';
import type { Io } from '../../cli/io.ts';
import { bearerOf, parseListen } from '../../proxy/http-listener.ts';
import { serveOperatorHttp } from '../../proxy/operator-http.ts';
import { OperatorRouter } from '../../proxy/operator-router.ts';
import { readSecretFile } from '../keys.ts';
import { operatorFiles } from './init.ts';
import { type GateOptions, openOperator } from './options.ts';

/** `agentgate gate serve --operator`: the operator's tools by Streamable HTTP, for who bears the secret of `gate init`. */
export async function serveOperator(io: Io, options: GateOptions): Promise<number> {
  const listen = parseListen(options.listen ?? '127.0.0.1:0');
  const operator = await openOperator(io, options);
  const { keyFile } = operator.workspace.policy.gate.approvals;
  const secret = readSecretFile(operatorFiles(keyFile).secret, operator.workspace.cwd).trim();
  const removeHandlers = installSignalHandlers();
  try {
    const router = new OperatorRouter(() => openOperator(io, options));
    const served = await serveOperatorHttp(router, listen, bearerOf(secret));
    io.stderr.write(
      `agentgate: operator’s server at ${served.url}, secret in ${operatorFiles(keyFile).secret}\n`,
    );
    // Until a signal ends it, whatever its standard input is.
    await new Promise<never>(() => {});
    return 0;
  } finally {
    await endAll();
    removeHandlers();
  }
}
