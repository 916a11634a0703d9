import { isObject, type Json } from '../util/json.ts';
import { byCodeUnit } from '../util/order.ts';

export interface PlainJsonOptions {
  /** Every string and key in Unicode NFC. */
  nfc: boolean;
  /**
   * Keys that are array indices come first, by number: what a program writes that sorts keys and puts them into a plain
   * object.
   */
  indicesFirst: boolean;
}

/** JSON with sorted keys and no white space, as programs write it that do not use RFC 8785. */
export function plainJson(value: Json, options: PlainJsonOptions): string {
  if (typeof value === 'string') return JSON.stringify(options.nfc ? value.normalize('NFC') : value);
  if (Array.isArray(value)) return `[${value.map((item) => plainJson(item, options)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort(byCodeUnit);
  const ordered = options.indicesFirst
    ? [...keys.filter(isIndex).sort((a, b) => Number(a) - Number(b)), ...keys.filter((key) => !isIndex(key))]
    : keys;
  const members = ordered.map((key) => {
    const name = options.nfc ? key.normalize('NFC') : key;
    return `${JSON.stringify(name)}:${plainJson(value[key] as Json, options)}`;
  });
  return `{${members.join(',')}}`;
}

/** ECMAScript orders these keys of an object by number. */
function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
}
