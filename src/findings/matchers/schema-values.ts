import { isObject, type Json, type JsonObject, own, pointer } from '../../util/json.ts';
import { JSON_TYPES } from '../../util/json-schema.ts';
import type { PlaceHit, SchemaContext } from '../rule.ts';
import { KEYWORDS } from './schema-keywords.ts';
import { shownValue } from './shown-value.ts';

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
      if (typeof one === 'string' && JSON_TYPES.has(one)) continue;
      hits.push({ pointer: where, shown: shownValue(one), message: 'is no type of JSON Schema' });
    }
  }
  return hits;
}

/** Keys of a schema that no draft and no common vocabulary knows. */
export function unknownKeywords(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, schema } of context.schemas) {
    const misplaced = misplacedProperties(schema);
    const [first] = misplaced;
    if (first !== undefined)
      hits.push({
        pointer: at + pointer(first),
        shown: misplaced.join(', '),
        message: 'stands where `properties` is missing',
        severity: 'low',
      });
    for (const [key, value] of Object.entries(schema)) {
      if (misplaced.includes(key) || KEYWORDS.has(key) || /^x-[a-z0-9-]{1,60}$/i.test(key)) continue;
      const wordy = hasWords(value, 0) || /\s/.test(key) || key.length > 40;
      hits.push({
        pointer: at + pointer(key),
        shown: `${key}: ${shownValue(value)}`,
        message: 'is no keyword of JSON Schema',
        ...(wordy ? {} : { severity: 'low' as const }),
      });
    }
  }
  return hits;
}

/**
 * Names of parameters that an author wrote into an object's schema and not below `properties`: every key that is no keyword
 * holds a plain schema. Their texts are looked at like those of other parameters.
 */
function misplacedProperties(schema: JsonObject): string[] {
  if ((own(schema, 'type') ?? 'object') !== 'object' || own(schema, 'properties') !== undefined) return [];
  const keys = Object.keys(schema).filter((key) => !KEYWORDS.has(key) && !key.startsWith('x-'));
  return keys.every((key) => /^[a-z_$][\w$-]{0,39}$/i.test(key) && isPlainSchema(own(schema, key)))
    ? keys
    : [];
}

function isPlainSchema(value: Json | undefined): boolean {
  const type = isObject(value) ? own(value, 'type') : undefined;
  return (
    typeof type === 'string' &&
    JSON_TYPES.has(type) &&
    isObject(value) &&
    Object.keys(value).every((key) => KEYWORDS.has(key))
  );
}

function hasWords(value: Json, depth: number): boolean {
  if (typeof value === 'string') return /\S\s+\S+\s+\S/.test(value.slice(0, 2000));
  if (depth > 32 || value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some((one) => hasWords(one, depth + 1));
  return Object.entries(value).some(
    ([key, one]) => /\S\s+\S+\s+\S/.test(key.slice(0, 2000)) || hasWords(one, depth + 1),
  );
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
    const list = own(schema, 'enum');
    if (Array.isArray(list))
      for (const [index, one] of list.entries())
        add(`${at}/enum/${index}`, one, 6, 'holds a sentence that addresses the reader');
  }
  return hits;
}
