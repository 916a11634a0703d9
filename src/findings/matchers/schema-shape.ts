import { isObject, type Json, type JsonObject, own, pointer, pointerTokens } from '../../util/json.ts';
import type { PlaceHit, SchemaContext } from '../rule.ts';
import { KEYWORDS, TYPES } from './schema-keywords.ts';

function shown(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** `type` that is none of JSON Schema's seven. */
export function badTypes(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema } of context.schemas) {
    const type = own(schema, 'type');
    if (type === undefined) continue;
    const list: [string, Json][] = Array.isArray(type)
      ? type.map((one, index) => [`${at}/type/${index}`, one])
      : [[`${at}/type`, type]];
    for (const [where, one] of list) {
      // A draft-03 style schema as a type is odd, but carries nothing that the walk does not see.
      if (typeof one === 'string' && TYPES.has(one)) continue;
      hits.push({ pointer: where, shown: shown(one), message: 'is no type of JSON Schema' });
    }
  }
  return hits;
}

/** Entries of `required` that no property answers to. */
export function unknownRequired(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema, parents, root } of context.schemas) {
    const required = own(schema, 'required');
    if (required === undefined || typeof required === 'boolean') continue;
    if (!Array.isArray(required)) {
      hits.push({
        pointer: `${at}/required`,
        shown: shown(required),
        message: 'is no list of names',
      });
      continue;
    }
    if (required.length === 0) continue;
    const known = new Set<string>();
    let open = collect(schema, root, known, 0);
    for (const parent of enclosing(parents, at)) open = collect(parent, root, known, 0) || open;
    for (const [index, name] of required.entries()) {
      if (typeof name === 'string' && (known.has(name) || (open && isIdentifier(name)))) continue;
      hits.push({
        pointer: `${at}/required/${index}`,
        shown: shown(name),
        message: 'is required, but is no property',
      });
    }
  }
  return hits;
}

const isIdentifier = (name: string): boolean => /^[\p{L}\p{N}_.$@:/-]{1,64}$/u.test(name);

const COMPOSING = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/**
 * The schemas that describe the same value as the one at `at`: those around it as long as only composition lies
 * between ("anyOf": [{"required": ["a"]}] beside "properties").
 */
function enclosing(parents: readonly JsonObject[], at: string): JsonObject[] {
  const tokens = pointerTokens(at);
  const same: JsonObject[] = [];
  let end = tokens.length;
  for (let i = parents.length - 1; i >= 0; i--) {
    const last = tokens[end - 1] ?? '';
    const beforeLast = tokens[end - 2] ?? '';
    if (COMPOSING.has(last)) end -= 1;
    else if (COMPOSING.has(beforeLast)) end -= 2;
    else break;
    same.push(parents[i] as JsonObject);
  }
  return same;
}

/** Adds the properties that a value of this schema can have; true when names may come from elsewhere. */
function collect(schema: Json | undefined, root: JsonObject, known: Set<string>, depth: number): boolean {
  if (!isObject(schema) || depth > 16) return false;
  let open = false;
  const properties = own(schema, 'properties');
  if (isObject(properties)) for (const name of Object.keys(properties)) known.add(name);
  else if (isObject(own(schema, 'additionalProperties'))) open = true;
  if (isObject(own(schema, 'patternProperties'))) open = true;
  const reference = own(schema, '$ref');
  if (typeof reference === 'string') {
    const target = resolve(root, reference);
    open = target === undefined ? true : collect(target, root, known, depth + 1) || open;
  }
  if (own(schema, '$dynamicRef') !== undefined || own(schema, '$recursiveRef') !== undefined) open = true;
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const list = own(schema, key);
    if (Array.isArray(list)) for (const one of list) open = collect(one, root, known, depth + 1) || open;
  }
  for (const key of ['if', 'then', 'else', 'not'])
    open = collect(own(schema, key), root, known, depth + 1) || open;
  for (const key of ['dependentSchemas', 'dependencies']) {
    const map = own(schema, key);
    if (isObject(map))
      for (const one of Object.values(map)) open = collect(one, root, known, depth + 1) || open;
  }
  return open;
}

/** An in-document reference's target; undefined for anything that is not in the document. */
function resolve(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value: Json | undefined = root;
  for (const token of pointerTokens(decode(reference.slice(1)))) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isObject(value)) value = own(value, token);
    else return undefined;
  }
  return value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keys of a schema that no draft and no common vocabulary knows. */
export function unknownKeywords(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema } of context.schemas) {
    for (const [key, value] of Object.entries(schema)) {
      if (KEYWORDS.has(key) || /^x-[a-z0-9-]{1,60}$/i.test(key)) continue;
      const wordy = hasWords(value, 0) || /\s/.test(key) || key.length > 40;
      hits.push({
        pointer: at + pointer(key),
        shown: `${key}: ${shown(value)}`,
        message: 'is no keyword of JSON Schema',
        ...(wordy ? {} : { severity: 'low' as const }),
      });
    }
  }
  return hits;
}

function hasWords(value: Json, depth: number): boolean {
  if (typeof value === 'string') return /\S\s+\S+\s+\S/.test(value.slice(0, 2000));
  if (depth > 32 || value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some((one) => hasWords(one, depth + 1));
  return Object.entries(value).some(
    ([key, one]) => /\S\s+\S+\s+\S/.test(key.slice(0, 2000)) || hasWords(one, depth + 1),
  );
}

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
      shown: `${name} → ${shown(header)}`,
      message: `copies the argument "${name.slice(0, 60)}" into an HTTP header`,
    });
  }
  return hits;
}

/** Keywords whose value is a name, an address or a pattern. */
const IDENTIFIERS = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$ref',
  'format',
  'contentEncoding',
  'contentMediaType',
  'pattern',
];
const ADDRESSES_MODEL =
  /(?:^|[^a-z])(?:you|your|must|never|always|before|ignore|assistant|model|do not|don't|first|user|tool|secret|system|important)(?:[^a-z]|$)/i;

/** Sentences where a schema expects data: a format, a pattern, a default, one of an enumeration. */
export function proseAsValue(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const add = (at: string, value: Json | undefined, min: number, message: string): void => {
    if (typeof value !== 'string' || value.length > 65_536) return;
    const words = value.match(/[A-Za-z']{2,30}(?=[\s.,;:!?]|$)/g)?.length ?? 0;
    if (words < min || !/[a-z] [a-z]/i.test(value)) return;
    const toModel = ADDRESSES_MODEL.test(value);
    if (min >= 6 && !toModel) return;
    hits.push({ pointer: at, shown: value, message });
  };
  for (const { pointer: at, schema } of context.schemas) {
    for (const key of IDENTIFIERS) add(`${at}/${key}`, own(schema, key), 4, 'holds a sentence');
    for (const key of ['default', 'const'])
      add(`${at}/${key}`, own(schema, key), 7, 'holds sentences that address the reader');
    for (const key of ['enum']) {
      const list = own(schema, key);
      if (Array.isArray(list))
        for (const [index, one] of list.entries())
          add(`${at}/${key}/${index}`, one, 6, 'holds a sentence that addresses the reader');
    }
  }
  return hits;
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const DESTROYS =
  /^(?:[a-z0-9]+_)?(?:delete|remove|drop|destroy|wipe|purge|truncate|overwrite|erase|format|kill|terminate|transfer|pay|wire)(?:_|$)/;

/** Hints that are no booleans, and a read-only hint on a tool that is named for destroying. */
export function oddHints(context: SchemaContext): PlaceHit[] {
  const annotations = own(context.definition, 'annotations');
  if (context.kind !== 'tool' || !isObject(annotations)) return [];
  const hits: PlaceHit[] = [];
  for (const hint of HINTS) {
    const value = own(annotations, hint);
    if (value === undefined || value === null || typeof value === 'boolean') continue;
    hits.push({
      pointer: `/annotations/${hint}`,
      shown: shown(value),
      message: 'is neither true nor false',
      severity: 'medium',
    });
  }
  const snake = context.name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-\s.]+/g, '_')
    .toLowerCase();
  if (own(annotations, 'readOnlyHint') === true && DESTROYS.test(snake))
    hits.push({
      pointer: '/annotations/readOnlyHint',
      shown: `${context.name}: readOnlyHint true`,
      message: 'says read-only, but is named for changing things',
    });
  return hits;
}

const NAME_READS =
  /(?:^| )(?:read|reading|content|contents|dump|steal|exfiltrate|paste|copy|copied|file|from|send|put|include|full)(?: |$)/;
const NAME_SECRET =
  /(?:^| )(?:id rsa|id ed ?25519|ssh|passwd|shadow|private key|secret key|aws credentials|env file|dot env|mcp json|credentials|system prompt|keychain|wallet|passwords?)(?: |$)/;
const MAX_NAME_WORDS = 7;
const MAX_NAME = 48;

/** The words of an identifier, in lower case. */
export function nameWords(name: string): string[] {
  return name
    .slice(0, 4000)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Names of parameters, prompt arguments and tools that are sentences, or that ask for a secret file. */
export function proseNames(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const look = (at: string, name: string, what: string): void => {
    const words = nameWords(name);
    const spaced = words.join(' ');
    const sentence =
      /\S\s+\S+\s+\S+\s+\S/.test(name) ||
      words.length > MAX_NAME_WORDS ||
      (name.length > MAX_NAME && words.length > 4);
    const secret = NAME_SECRET.test(spaced) && NAME_READS.test(spaced) && words.length >= 3;
    if (sentence || secret)
      hits.push({
        pointer: at,
        shown: name,
        message: secret
          ? `is a name of ${what} that asks for a secret`
          : `is a name of ${what} that is a sentence`,
      });
  };
  if (context.kind === 'tool' && context.name.length > 64) look('/name', context.name, 'a tool');
  else if (context.kind === 'tool' && /\s/.test(context.name)) look('/name', context.name, 'a tool');
  for (const { pointer: at, schema } of context.schemas) {
    for (const key of [
      'properties',
      'patternProperties',
      '$defs',
      'definitions',
      'dependentSchemas',
      'dependentRequired',
    ]) {
      const map = own(schema, key);
      if (!isObject(map)) continue;
      for (const name of Object.keys(map))
        if (name.length > 8) look(at + pointer(key, name), name, 'a parameter');
    }
  }
  const list = own(context.definition, 'arguments');
  if (context.kind === 'prompt' && Array.isArray(list)) {
    for (const [index, one] of list.entries()) {
      const name = isObject(one) ? own(one, 'name') : undefined;
      if (typeof name === 'string') look(`/arguments/${index}/name`, name, 'an argument');
    }
  }
  return hits;
}
