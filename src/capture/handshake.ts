import { AgentGateError } from '../util/errors.ts';
import { visibleLine } from '../util/hidden.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { describeProblem } from '../util/strict-json.ts';
import { VERSION } from '../version.ts';
import type { Answer } from './answer.ts';
import { PROTOCOL_VERSION } from './request-params.ts';
import type { Session } from './session.ts';

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];
/** The revision that begins with `server/discover` and has no session. */
export const MODERN_VERSION = '2026-07-28';

const CLIENT_INFO: JsonObject = { name: 'agentgate', version: VERSION };
/** One fixed profile: what a server lists depends on it (server-everything: 13 tools or 19). */
const CLIENT_CAPABILITIES: JsonObject = {};

export interface Handshake {
  era: 'legacy' | 'modern';
  protocolVersion: string;
  capabilities?: Json;
  instructions?: Json;
  serverInfo?: Json;
  /** Goes into the params of every further request. */
  requestMeta: JsonObject;
}

/** The server answered, but does not know this way of beginning: the other era is worth a try. */
export interface Refusal {
  refused: string;
}

/**
 * Begins a session with `initialize`. Gives a refusal when the server answers with a JSON-RPC error. Throws `E_PROTOCOL`
 * for a revision that AgentGate does not speak and `E_UNPINNABLE` for an answer that can be read in two ways.
 */
export async function initialize(session: Session): Promise<Handshake | Refusal> {
  const answer = await session.request('initialize', {
    protocolVersion: LEGACY_VERSIONS[0] as string,
    capabilities: CLIENT_CAPABILITIES,
    clientInfo: CLIENT_INFO,
  });
  if (!answer.ok) return refusal(answer);
  const result = sound(answer, 'initialize');
  const version = own(result, 'protocolVersion');
  if (typeof version !== 'string' || !LEGACY_VERSIONS.includes(version))
    throw new AgentGateError(
      'E_PROTOCOL',
      `server answered initialize with the protocol version ${show(version)}, and AgentGate speaks ${MODERN_VERSION} and ${LEGACY_VERSIONS.at(-1)} to ${LEGACY_VERSIONS[0]}`,
    );
  session.channel.agreed(version);
  await session.notify('notifications/initialized');
  return {
    era: 'legacy',
    protocolVersion: version,
    capabilities: own(result, 'capabilities'),
    instructions: own(result, 'instructions'),
    serverInfo: own(result, 'serverInfo'),
    requestMeta: {},
  };
}

/**
 * Begins with `server/discover` of revision 2026-07-28. Gives a refusal for a JSON-RPC error and for a server that does
 * not speak this revision but an older one. Throws as {@link initialize} does.
 */
export async function discover(session: Session, signal?: AbortSignal): Promise<Handshake | Refusal> {
  const requestMeta: JsonObject = {
    _meta: {
      [PROTOCOL_VERSION]: MODERN_VERSION,
      'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
      'io.modelcontextprotocol/clientCapabilities': CLIENT_CAPABILITIES,
    },
  };
  const answer = await session.request(
    'server/discover',
    requestMeta,
    signal === undefined ? {} : { signal },
  );
  if (!answer.ok) return refusal(answer);
  const result = sound(answer, 'server/discover');
  const supported = strings(own(result, 'supportedVersions'));
  if (!supported.includes(MODERN_VERSION)) {
    if (supported.some((version) => LEGACY_VERSIONS.includes(version)))
      return { refused: `it speaks ${show(supported)}` };
    throw new AgentGateError(
      'E_PROTOCOL',
      `server speaks the protocol versions ${show(own(result, 'supportedVersions'))}, and AgentGate speaks ${MODERN_VERSION} and ${LEGACY_VERSIONS.at(-1)} to ${LEGACY_VERSIONS[0]}`,
    );
  }
  session.channel.agreed(MODERN_VERSION);
  const meta = own(result, '_meta');
  return {
    era: 'modern',
    protocolVersion: MODERN_VERSION,
    capabilities: own(result, 'capabilities'),
    instructions: own(result, 'instructions'),
    serverInfo: isObject(meta) ? own(meta, 'io.modelcontextprotocol/serverInfo') : undefined,
    requestMeta,
  };
}

/** The result as an object. Throws for problems in the text, and for a result of another type. */
function sound(answer: Answer & { ok: true }, method: string): JsonObject {
  const problem = answer.problems[0];
  if (problem !== undefined)
    throw new AgentGateError(
      'E_UNPINNABLE',
      `server's answer to ${method} cannot be pinned: ${describeProblem(problem)}`,
    );
  if (!isObject(answer.result))
    throw new AgentGateError('E_PROTOCOL', `server answered ${method} with a result that is no object`);
  return answer.result;
}

function refusal(answer: Answer & { ok: false }): Refusal {
  const { code, message, data } = answer.error;
  const supported = isObject(data) ? own(data, 'supported') : undefined;
  const speaks = supported === undefined ? '' : `, it speaks ${show(supported)}`;
  return { refused: `${code ?? 'no code'}: ${visibleLine(message.slice(0, 300))}${speaks}` };
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function show(value: Json | undefined): string {
  const text = value === undefined ? 'none' : JSON.stringify(value);
  return visibleLine(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
