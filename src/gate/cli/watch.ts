import { setTimeout as sleep } from 'node:timers/promises';
import type { Io } from '../../cli/io.ts';
import type { Operator } from '../../proxy/operator.ts';
import type { GateOptions } from './options.ts';

const INTERVAL_MS = 300;

/** Prints each call that waits, those that wait already first, until it is stopped. */
export async function watch(io: Io, operator: Operator, options: GateOptions): Promise<number> {
  const seen = new Set<string>();
  io.stderr.write('Waiting for calls; Ctrl-C ends it.\n');
  for (;;) {
    for (const proposal of operator.list(false)) {
      if (seen.has(proposal.id)) continue;
      seen.add(proposal.id);
      // An empty line between two of them: no argument or file is shown with one.
      io.stdout.write(`${seen.size > 1 ? '\n' : ''}${(await operator.show(proposal.id)).text}\n`);
      if (options.once === true) return 0;
    }
    await sleep(INTERVAL_MS);
  }
}
