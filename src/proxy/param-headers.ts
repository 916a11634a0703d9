import { isObject, type Json, type JsonObject, own } from '../util/json.ts';

const PREFIX = 'mcp-param-';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Levels of `properties` that are walked. */
const MAX_DEPTH = 16;

/**
 * The headers that mirror a call's arguments, where the tool's input schema asks for it with `x-mcp-header` (MCP
 * 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). Names in lower case, values encoded.
 */
export function paramHeaders(definition: JsonObject, args: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  const walk = (schema: Json | undefined, value: Json | undefined, depth: number): void => {
    if (!isObject(schema) || depth > MAX_DEPTH) return;
    const name = own(schema, 'x-mcp-header');
    if (typeof name === 'string' && TOKEN.test(name)) {
      const text = textOf(value);
      if (text !== undefined) headers[PREFIX + name.toLowerCase()] = encodeHeader(text);
    }
    const properties = own(schema, 'properties');
    if (!isObject(properties) || !isObject(value)) return;
    for (const [key, property] of Object.entries(properties)) walk(property, own(value, key), depth + 1);
  };
  walk(own(definition, 'inputSchema'), args, 0);
  return headers;
}

/** A value as a header takes it; what it cannot take, in the protocol's Base64 form. */
export function encodeHeader(text: string): string {
  const plain = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/.test(text) && !/^=\?base64\?.*\?=$/s.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

/** The value behind a header; undefined when its Base64 form is wrong. */
export function decodeHeader(header: string): string | undefined {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header) ?? [];
  if (encoded === undefined) return header.startsWith('=?base64?') ? undefined : header;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
