/** A process that appends to a ledger, a few entries at a time, and prints each number once it is on disk. */
import { Ledger } from '../../src/gate/ledger/ledger.ts';

const [path = '', name = '', count = '0', together = '1'] = process.argv.slice(2);
const ledger = await Ledger.open(path);
for (let done = 0; done < Number(count); done += Number(together)) {
  await Promise.all(
    Array.from({ length: Number(together) }, async (_, index) => {
      const [entry] = await ledger.append({
        type: 'checkpoint',
        proposal_id: null,
        server: null,
        actor: name,
        payload: { kind: 'test', number: done + index, text: 'x'.repeat((done * 37) % 300) },
      });
      process.stdout.write(`${entry?.hash}\n`);
    }),
  );
}
