import { LEGACY_VERSIONS, MODERN_VERSION } from '../capture/handshake.ts';
import { PROTOCOL_VERSION } from '../capture/request-params.ts';
import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import { VERSION } from '../version.ts';
import { LOG_LEVELS, logLevel } from './notices.ts';
import { RPC, RpcError } from './rpc.ts';

const META = 'io.modelcontextprotocol';
/** Its value in the notifications of a subscription is the id of the request that opened it. */
export const SUBSCRIPTION_ID = `${META}/subscriptionId`;

/** What a request of revision 2026-07-28 says of its client. */
export interface ModernClient {
  capabilities: JsonObject;
  /** Of log messages that it wants while the request runs; index of `LOG_LEVELS`. */
  level?: number;
}

/** Results that a client may keep, and are told for how long. */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/**
 * The client of a request that names its revision in `_meta`; undefined for the older revisions, which do not. Throws
 * -32022 for another revision, and -32602 when what must be there is not.
 */
export function modernClient(params: JsonObject): ModernClient | undefined {
  const meta = own(params, '_meta');
  const version = isObject(meta) ? own(meta, PROTOCOL_VERSION) : undefined;
  if (!isObject(meta) || version === undefined) return undefined;
  if (version !== MODERN_VERSION)
    throw new RpcError(RPC.version, 'Unsupported protocol version', {
      supported: [MODERN_VERSION],
      requested: version,
    });
  const capabilities = own(meta, `${META}/clientCapabilities`);
  if (!isObject(capabilities))
    throw new RpcError(RPC.params, `"_meta" has no "${META}/clientCapabilities" that is an object`);
  const named = own(meta, `${META}/logLevel`);
  const level = logLevel(named);
  if (named !== undefined && level === undefined)
    throw new RpcError(RPC.params, 'there is no such log level');
  return level === undefined ? { capabilities } : { capabilities, level };
}

/** A result as revision 2026-07-28 wants it. Nothing may be kept: what is let through can change at any time. */
export function modernResult(method: string, server: string, result: Json): JsonObject {
  const given = isObject(result) ? result : {};
  const meta = own(given, '_meta');
  const type = own(given, 'resultType') ?? 'complete';
  return {
    ...given,
    resultType: type,
    ...(CACHEABLE.has(method) && type === 'complete' ? { ttlMs: 0, cacheScope: 'private' } : {}),
    _meta: { ...(isObject(meta) ? meta : {}), [`${META}/serverInfo`]: serverInfo(server) },
  };
}

/** Members of `_meta` of a request to a server of 2026-07-28, beside those that every request has. */
export function modernMeta(capabilities: JsonObject, level: number | undefined): JsonObject {
  const named = level === undefined ? undefined : LOG_LEVELS[level];
  return {
    [`${META}/clientCapabilities`]: capabilities,
    ...(named === undefined ? {} : { [`${META}/logLevel`]: named }),
  };
}

/** The revision that `initialize` is answered with: the one asked for where it is spoken, else the newest. */
export function legacyVersion(params: JsonObject): string {
  const asked = own(params, 'protocolVersion');
  return typeof asked === 'string' && LEGACY_VERSIONS.includes(asked) ? asked : (LEGACY_VERSIONS[0] ?? '');
}

/** How the proxy of a server names itself. */
export function serverInfo(server: string): JsonObject {
  return { name: `agentgate:${server}`, version: VERSION };
}
