import type { Io } from '../../cli/io.ts';
import type { CommonOptions } from '../../cli/options.ts';
import { emit } from '../../cli/shared.ts';
import { AgentGateError } from '../../util/errors.ts';
import { visible, visibleLine } from '../../util/hidden.ts';
import { printableJson } from '../../util/printable-json.ts';
import { readLedgerEntries } from '../ledger/read.ts';
import { type LedgerOptions, places } from './ledger-options.ts';

/** `agentgate ledger trail ID`: every entry of one proposal or checkpoint. Throws `E_PROPOSAL_UNKNOWN`. */
export async function trail(io: Io, options: LedgerOptions, id: string): Promise<number> {
  const { path } = await places(io, options);
  const entries = readLedgerEntries(path).filter(
    ({ proposal_id }) => proposal_id === id || (id.length >= 13 && proposal_id?.startsWith(id) === true),
  );
  if (entries.length === 0)
    throw new AgentGateError(
      'E_PROPOSAL_UNKNOWN',
      `The ledger says nothing of ${JSON.stringify(id.slice(0, 80))}; "agentgate gate list --all" shows the proposals, "agentgate gate rollback" the checkpoints.`,
    );
  const lines = entries.map((entry) =>
    options.json === true
      ? printableJson(JSON.stringify(entry))
      : `${entry.ts}  ${String(entry.seq).padStart(6)}  ${entry.type.padEnd(18)} ${visibleLine(entry.actor)}\n${visible(
          JSON.stringify(entry.payload, null, 2),
        ).replace(/^/gm, '    ')}`,
  );
  await emit(io, options as CommonOptions, lines.join('\n'));
  return 0;
}
