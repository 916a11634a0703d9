import { timingSafeEqual } from 'node:crypto';
import { endAll, installSignalHandlers } from '../../capture/running.ts';
import type { Io } from '../../cli/io.ts';
import { parseListen, serveHttp } from '../../proxy/http.ts';
import { OperatorRouter } from '../../proxy/operator-router.ts';
import { readSecretFile } from '../keys.ts';
import { operatorFiles } from './init.ts';
import { type GateOptions, openOperator } from './options.ts';

/** `agentgate gate serve --operator`: the operator's tools by Streamable HTTP, for who bears the secret of `gate init`. */
export async function serveOperator(io: Io, options: GateOptions): Promise<number> {
  const listen = parseListen(options.listen ?? '127.0.0.1:0');
  const operator = await openOperator(io, options);
  const { keyFile } = operator.workspace.policy.gate.approvals;
  const secret = Buffer.from(readSecretFile(operatorFiles(keyFile).secret, operator.workspace.cwd).trim());
  const authorized = (header: string | undefined): boolean => {
    const given = Buffer.from(header?.startsWith('Bearer ') ? header.slice(7) : '');
    return given.length === secret.length && timingSafeEqual(given, secret);
  };
  const removeHandlers = installSignalHandlers();
  try {
    const served = await serveHttp(new OperatorRouter(() => openOperator(io, options)), listen, {
      authorized,
    });
    io.stderr.write(
      `agentgate: operator’s server at ${served.url}, secret in ${operatorFiles(keyFile).secret}\n`,
    );
    await new Promise<void>((done) => io.stdin.on('close', done).resume());
    await served.close();
    return 0;
  } finally {
    await endAll();
    removeHandlers();
  }
}
