import { payloadSha256 } from '../gate/fingerprint.ts';
import type { Proposal } from '../gate/proposals.ts';
import type { Authority, CurrentState, GateStore, Outcome } from '../gate/store.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import type { VerifiedSurface } from './surface.ts';
import type { Upstream } from './upstream.ts';

/** Milliseconds that a server may take over one call. */
export const CALL_MS = 10 * 60_000;

/** Sends a call to a server that was verified, and says how it ended. Never throws. */
export async function sendCall(
  upstream: Upstream,
  rawName: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const answer = await upstream.request('tools/call', { name: rawName, arguments: args }, signal);
    if (!answer.ok)
      return {
        kind: 'failed',
        code: 'E_SERVER_ERROR',
        message: `the server answered with error ${answer.error.code ?? 'without a code'}: ${answer.error.message.slice(0, 1_000)}`,
      };
    const { result } = answer;
    if (!isObject(result))
      return { kind: 'failed', code: 'E_SERVER_ERROR', message: 'the server answered with no object' };
    const type = own(result, 'resultType');
    if (type !== undefined && type !== 'complete')
      return {
        kind: 'failed',
        code: 'E_INPUT_REQUIRED',
        message: 'the server asks for further input, which the proxy does not pass on',
        result,
      };
    if (own(result, 'isError') === true)
      return { kind: 'failed', code: 'E_TOOL_ERROR', message: 'the tool answered with an error', result };
    return { kind: 'done', result };
  } catch (error) {
    return { kind: 'unknown', message: messageOf(error) };
  }
}

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
  signal: AbortSignal;
}): Promise<Outcome> {
  const { store, upstream, proposal, authority, args, actor } = options;
  const sent = payloadSha256(proposal.server, proposal.tool, args);
  const surface = await upstream.surface(true);
  const extra = await options.extra();
  const current: CurrentState = {
    live: surface.live,
    policySha256: options.policySha256,
    ...(extra === undefined ? {} : { extra }),
  };
  const raw = rawToolName(surface, proposal.tool);
  if (raw === undefined) {
    const error = notPinned(store, proposal, authority, current, sent, surface);
    await store.refused(error, actor, { proposal });
    throw error;
  }
  const begun = await store.begin(proposal.id, authority, current, sent, actor);
  const outcome = await sendCall(upstream, raw, args, options.signal);
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

/** What a caller of the tool gets for an outcome. Throws for all but an answer of the tool. */
export function answerOf(outcome: Outcome, id?: string): Json {
  if (outcome.kind === 'done') return outcome.result;
  if (outcome.kind === 'failed') {
    if (outcome.code === 'E_TOOL_ERROR' && outcome.result !== undefined) return outcome.result;
    throw new AgentGateError(outcome.code, outcome.message);
  }
  if (id === undefined) throw new AgentGateError('E_SERVER_EXIT', outcome.message);
  throw new AgentGateError(
    'E_OUTCOME_UNKNOWN',
    `${id} was sent and its end is not known (${outcome.message}); it is not tried again by itself.`,
  );
}
