import { isObject, type Json, type JsonObject, own } from '../util/json.ts';
import type { Rewrite } from './schema-walk.ts';

const LISTS = ['anyOf', 'oneOf'];

/**
 * A choice between fixed values that one side writes as `enum` and the other as `anyOf` of constants: compared as lists of
 * values, and the way it is written is plumbing. False when this is not so.
 */
export const listedChoices: Rewrite = (walk, before, after, at, depth) => {
  const [old, now] = [asEnum(before), asEnum(after)];
  const [plain, listed] = old === undefined ? [before, now] : [after, old];
  if ((old === undefined) === (now === undefined) || listed === undefined) return false;
  if (!Array.isArray(own(plain, 'enum')) || LISTS.some((key) => Object.hasOwn(plain, key))) return false;
  walk.add(`${at}/${listed.key}`, 'schema-plumbing', own(before, listed.key), own(after, listed.key));
  walk.compare(walk, old?.schema ?? before, now?.schema ?? after, at, depth + 1);
  return true;
};

/** The schema with `enum` in the place of its list of constants; undefined when it has none. */
function asEnum(schema: JsonObject): { key: string; schema: JsonObject } | undefined {
  const key = LISTS.find((each) => Object.hasOwn(schema, each));
  const branches = key === undefined ? undefined : own(schema, key);
  if (key === undefined || !Array.isArray(branches) || branches.length === 0) return undefined;
  if (['enum', 'const'].some((each) => Object.hasOwn(schema, each))) return undefined;
  const values: Json[] = [];
  const types = new Set<string>();
  for (const branch of branches) {
    if (!isObject(branch) || Object.keys(branch).some((each) => each !== 'const' && each !== 'type'))
      return undefined;
    const [value, type] = [own(branch, 'const'), own(branch, 'type')];
    if (value === undefined || (type !== undefined && typeof type !== 'string')) return undefined;
    values.push(value);
    if (type !== undefined) types.add(type);
  }
  const { [key]: _, ...rest } = schema;
  const [type] = types;
  return {
    key,
    schema: { ...(types.size === 1 && type !== undefined ? { type } : {}), ...rest, enum: values },
  };
}
