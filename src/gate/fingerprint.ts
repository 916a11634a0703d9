import type { Source } from '../config/types.ts';
import type { LockedServer, ToolRecord } from '../lock/types.ts';
import type { Json, JsonObject } from '../util/json.ts';
import { sha256Jcs } from './ledger/entry.ts';

/** `payload_sha256` of a call: `sha256(jcs({server, tool, arguments}))`, hexadecimal. */
export function payloadSha256(server: string, tool: string, args: JsonObject): string {
  return sha256Jcs({ server, tool, arguments: args });
}

/**
 * The hash that stands for a tool in an approval: of the whole definition where it is pinned, since the three-field
 * `hash` does not change with annotations, a title or an output schema.
 */
export function toolHash(record: ToolRecord | undefined): string {
  return record?.definitionHash ?? record?.hash ?? 'none';
}

/**
 * The state that an MCP call is approved in: `sha256(jcs({source, toolSurfaceHash, toolHash, policySha256}))` of the
 * live server, so that every approval dies with drift; `extra` adds what an adapter binds (git).
 */
export function stateFingerprint(
  live: LockedServer,
  tool: string,
  policySha256: string,
  extra?: JsonObject,
): string {
  const state: JsonObject = {
    source: sourceJson(live.source),
    toolSurfaceHash: live.toolSurfaceHash ?? null,
    toolHash: toolHash(live.tools?.get(tool)),
    policySha256,
  };
  return sha256Jcs(extra === undefined ? state : { ...state, ...extra });
}

function sourceJson(source: Source | undefined): Json {
  if (source === undefined) return null;
  return JSON.parse(JSON.stringify(source)) as JsonObject;
}
