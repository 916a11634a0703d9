import { own, pointerTokens } from '../../util/json.ts';
import type { PlaceHit, SchemaContext } from '../rule.ts';
import { shownValue } from './shown-value.ts';

/** `$ref` to another document: content that the lock does not hold. */
export function remoteReferences(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema } of context.schemas) {
    for (const key of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = own(schema, key);
      if (typeof reference !== 'string' || reference.startsWith('#')) continue;
      if (!/^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference) && !/\.(?:json|ya?ml)(?:#|$)/i.test(reference))
        continue;
      hits.push({
        pointer: `${at}/${key}`,
        shown: reference,
        message: 'refers to a schema in another place, which is not pinned',
      });
    }
  }
  return hits;
}

const SENSITIVE_NAME =
  /(?:^|_)(?:password|passwd|passphrase|secret|token|api_?key|access_?key|private_?key|credentials?|auth|authorization|cookie|session|ssn|card(?:_number)?|cvv|iban|pin|otp|email|phone|address|prompt|message|content|body|conversation|context)(?:_|$)/;

/** `x-mcp-header` copies an argument into an HTTP header, where proxies and logs see it. */
export function headerOnSensitive(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema } of context.schemas) {
    const header = own(schema, 'x-mcp-header');
    if (header === undefined) continue;
    const name = pointerTokens(at).at(-1) ?? '';
    const snake = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase();
    const secretFormat = own(schema, 'format') === 'password' || own(schema, 'writeOnly') === true;
    if (!SENSITIVE_NAME.test(snake) && !secretFormat) continue;
    hits.push({
      pointer: `${at}/x-mcp-header`,
      shown: `${name} → ${shownValue(header)}`,
      message: `copies the argument "${name.slice(0, 60)}" into an HTTP header`,
    });
  }
  return hits;
}
