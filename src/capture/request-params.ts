import { isObject, type Json, type JsonObject, own, setOwn } from '../util/json.ts';

/** Member of `_meta` that a request of revision 2026-07-28 has. */
export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** True for the params of a request of revision 2026-07-28. */
export function isModern(params: JsonObject): boolean {
  const meta = own(params, '_meta');
  return isObject(meta) && own(meta, PROTOCOL_VERSION) !== undefined;
}

/** A copy of `params` that asks for progress under a token. */
export function withProgressToken(params: JsonObject, token: number): JsonObject {
  const meta = own(params, '_meta');
  return { ...params, _meta: { ...(isObject(meta) ? meta : {}), progressToken: token } };
}

/** A copy of `params` with `key` set, whatever the key is called. */
export function withMember(params: JsonObject, key: string, value: Json): JsonObject {
  const copy: JsonObject = { ...params };
  setOwn(copy, key, value);
  return copy;
}
