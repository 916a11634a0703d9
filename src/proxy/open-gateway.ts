import { GateStore } from '../gate/store.ts';
import { openWorkspace, ownFiles } from '../gate/workspace.ts';
import { Gateway } from './gateway.ts';
import { loadTarget, type UpstreamOptions } from './target.ts';
import { Upstream } from './upstream.ts';

export interface GatewayOptions extends UpstreamOptions {
  /** Path of the lock; the nearest going up when absent. */
  lockfile?: string;
  notice: (text: string) => void;
}

/**
 * Reads lock, policy, config and ledger, and starts to verify the server. Throws what is wrong with any of them: then
 * nothing may be let through. The server's own failures come with each request.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const workspace = await openWorkspace(options);
  const target = await loadTarget(options, workspace.policy.policy, workspace.lock, ownFiles(workspace));
  const { ledger } = workspace.policy.gate;
  const store = await GateStore.open(ledger, { redact: target.redact, notice: options.notice });
  const gateway = new Gateway(workspace, new Upstream(target, options), store);
  gateway.warm();
  // A failure is told to who asks; here it would end the process.
  void gateway.upstream.surface().catch(() => {});
  return gateway;
}
