import { payloadSha256, stateFingerprint } from '../gate/fingerprint.ts';
import type { Proposal } from '../gate/proposals.ts';
import type { Authority, CurrentState, GateStore, Outcome } from '../gate/store.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { type CallLink, sendRecorded } from './call.ts';
import type { VerifiedSurface } from './surface.ts';
import type { Upstream } from './upstream.ts';

/** The server's own name of a tool that is in the lock under another one (host paths are masked there). */
export function rawToolName(surface: VerifiedSurface, locked: string): string | undefined {
  for (const [raw, allowed] of surface.allowed.tools) if (allowed.locked === locked) return raw;
  return undefined;
}

/**
 * Carries out an approved proposal, once: verifies the server's surface, checks and consumes the approval, sends the call
 * and records its end. Throws when it was not sent, with the code of the table; what happened after is the outcome.
 *
 * @param args - what will be sent; its digest must be the approved one
 */
export async function carryOut(options: {
  store: GateStore;
  upstream: Upstream;
  proposal: Proposal;
  authority: Authority;
  args: JsonObject;
  policySha256: string;
  /** Facts of an adapter (git) at this moment. */
  extra: () => Promise<JsonObject | undefined>;
  actor: string;
  link: CallLink;
}): Promise<Outcome> {
  const { store, upstream, proposal, authority, args, actor } = options;
  const sent = payloadSha256(proposal.server, proposal.tool, args);
  const surface = await upstream.surface(true);
  const extra = await options.extra();
  const current: CurrentState = { live: surface.live, policySha256: options.policySha256, extra };
  const raw = rawToolName(surface, proposal.tool);
  const tool = raw === undefined ? undefined : surface.allowed.tools.get(raw);
  if (raw === undefined || tool === undefined) {
    const error = notPinned(store, proposal, authority, current, sent, surface);
    await store.refused(error, actor, { proposal });
    throw error;
  }
  const begun = await store.begin(proposal.id, authority, current, sent, actor);
  const print = ({ live }: VerifiedSurface): string =>
    stateFingerprint(live, proposal.tool, options.policySha256, extra);
  const approved = print(surface);
  const outcome = await sendRecorded(
    upstream,
    { raw, tool, arguments: args },
    options.link,
    // The server may have said that its lists have changed while the start was recorded.
    (now) => {
      if (now === surface || (rawToolName(now, proposal.tool) === raw && print(now) === approved)) return;
      throw new AgentGateError(
        'E_STATE_DRIFT',
        `the server’s surface has changed since ${proposal.id} began`,
      );
    },
  );
  await store.finish(begun, outcome, actor);
  return outcome;
}

/** A tool that drifted since is drift of the state; one that was never right is not pinned. */
function notPinned(
  store: GateStore,
  proposal: Proposal,
  authority: Authority,
  current: CurrentState,
  sent: string,
  surface: VerifiedSurface,
): AgentGateError {
  try {
    store.check(proposal, authority, current, sent);
  } catch (error) {
    if (error instanceof AgentGateError) return error;
    throw error;
  }
  const why = surface.blocked ?? surface.refused.tools.get(proposal.tool) ?? 'is not in the lock';
  return new AgentGateError('E_TOOL_NOT_PINNED', `${JSON.stringify(proposal.tool)} ${why}`);
}
