/** JSON as `JSON.parse` gives it. An own `__proto__` key can occur in an object and must survive. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an own member only, so that `constructor` or `__proto__` never come from the prototype. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own member whatever its name; a plain assignment to `__proto__` would change the prototype. */
export function setOwn(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** JSON pointer (RFC 6901) of the given reference tokens; no token gives the whole document, `""`. */
export function pointer(...tokens: (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The reference tokens of a JSON pointer (RFC 6901). */
export function pointerTokens(text: string): string[] {
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
