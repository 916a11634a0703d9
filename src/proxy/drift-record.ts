import type { Change } from '../drift/types.ts';
import type { GateStore } from '../gate/store.ts';
import { describeChange, type VerifiedSurface } from './surface.ts';

/** Changes of one surface that the ledger keeps. */
const MAX_CHANGES = 100;

const placeOf = ({ pointer, class: kind }: Change['fields'][number]): string[] => [pointer, kind];

/** Puts the drift of a server into the ledger, each time that it is another one. */
export class DriftRecord {
  private readonly store: GateStore;
  private readonly server: string;
  private readonly lockSha256: string;
  /** Of the drift that is in the ledger already. */
  private recorded = '';

  constructor(store: GateStore, server: string, lockSha256: string) {
    this.store = store;
    this.server = server;
    this.lockSha256 = lockSha256;
  }

  /** Throws what the ledger throws: then nothing may be let through. */
  async record({ changes }: VerifiedSurface): Promise<void> {
    const digest =
      changes.length === 0
        ? ''
        : JSON.stringify(changes.map(({ name, change, fields }) => [name, change, fields.map(placeOf)]));
    if (digest === this.recorded) return;
    this.recorded = digest;
    if (changes.length === 0) return;
    await this.store.ledger.append({
      type: 'lock_drift_seen',
      proposal_id: null,
      server: this.server,
      actor: 'proxy',
      payload: {
        lock_sha256: this.lockSha256,
        changes: changes.slice(0, MAX_CHANGES).map((change) => ({
          kind: change.kind,
          name: change.name.slice(0, 200).toWellFormed(),
          change: change.change,
          what: describeChange(change).slice(0, 500).toWellFormed(),
        })),
        count: changes.length,
      },
    });
  }
}
