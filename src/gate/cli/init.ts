import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Io } from '../../cli/io.ts';
import type { CommonOptions } from '../../cli/options.ts';
import { workingDirectory } from '../../cli/shared.ts';
import { AgentGateError } from '../../util/errors.ts';
import { createKey } from '../keys.ts';
import { loadGatePolicy } from '../policy.ts';
import type { GateOptions } from './options.ts';

/** The files beside the operator's key. */
export function operatorFiles(keyFile: string): { checkpointKey: string; secret: string } {
  return { checkpointKey: `${keyFile}.checkpoint`, secret: `${keyFile}.secret` };
}

/**
 * Makes the operator's key for approvals, an Ed25519 key for checkpoints, and the secret of the operator's server. What
 * is there already is kept.
 */
export async function initGate(io: Io, options: GateOptions): Promise<number> {
  const cwd = workingDirectory(io, options as CommonOptions);
  const { gate } = await loadGatePolicy(cwd, io.env.HOME || homedir());
  const { keyFile, algorithm } = gate.approvals;
  const { checkpointKey, secret } = operatorFiles(keyFile);
  const make = (path: string, what: string, work: () => void): void => {
    try {
      work();
      io.stdout.write(`${what}: ${path} (made)\n`);
    } catch (error) {
      const exists =
        (error instanceof AgentGateError && error.code === 'E_KEY_EXISTS') ||
        (error as NodeJS.ErrnoException).code === 'EEXIST';
      if (!exists) throw error;
      io.stdout.write(`${what}: ${path} (was there, kept)\n`);
    }
  };
  make(keyFile, `Key of approvals, ${algorithm}`, () => createKey(keyFile, algorithm, cwd));
  make(checkpointKey, 'Key of checkpoints, ed25519', () => createKey(checkpointKey, 'ed25519', cwd));
  make(secret, 'Secret of the operator’s server', () =>
    writeFileSync(secret, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 }),
  );
  io.stdout.write(
    `Ledger: ${gate.ledger}\nKeep these files from the agent: whoever can read them can approve. The best place is another user’s home.\n`,
  );
  return 0;
}
