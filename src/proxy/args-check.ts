import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../util/errors.ts';
import { isObject, type Json, type JsonObject, own, pointer, setOwn } from '../util/json.ts';
import { COMPOSING } from '../util/json-schema.ts';

export interface ArgumentsQuestion {
  /** Names the schema; the worker keeps what it has compiled. */
  key: string;
  schema: Json;
  arguments: JsonObject;
  /** Members that the schema does not name are refused, where it does not say otherwise itself. */
  closed: boolean;
}

export interface ArgumentsAnswer {
  /** Undefined when the arguments are right. */
  problem?: { pointer: string; text: string };
}

const compiled = new Map<string, ValidateFunction>();
const MAX_COMPILED = 500;

/**
 * Checks arguments against a tool's input schema with Ajv: by the dialect that `$schema` names (2020-12 when it names
 * none), nothing coerced, no defaults filled in, no remote `$ref`. A schema that cannot be compiled lets nothing pass.
 */
export function checkArguments(question: ArgumentsQuestion): ArgumentsAnswer {
  let validate = compiled.get(question.key);
  if (validate === undefined) {
    const schema = question.closed ? closeObjects(question.schema, true) : question.schema;
    try {
      validate = compile(schema);
    } catch (error) {
      const text = `cannot be checked: the reviewed schema does not compile (${messageOf(error)})`;
      return { problem: { pointer: '', text } };
    }
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(question.key, validate);
  }
  if (validate(question.arguments)) return {};
  const error = validate.errors?.[0];
  return { problem: { pointer: pointerOf(error), text: textOf(error) } };
}

function compile(schema: Json): ValidateFunction {
  if (!isObject(schema)) throw new Error('it is no object');
  const declared = own(schema, '$schema');
  const dialect = typeof declared === 'string' ? declared : '';
  const options = {
    strict: false,
    allErrors: false,
    validateFormats: false,
    logger: false,
    validateSchema: true,
    // A value from outside is never taken for one of the prototype's.
    ownProperties: true,
  } as const;
  // No keyword of JSON Schema: with it Ajv answers with a promise, which is no answer.
  if (Object.hasOwn(schema, '$async')) throw new Error('"$async" is not supported');
  if (/draft-0?4/.test(dialect)) throw new Error('JSON Schema draft 4 is not supported');
  const { $schema, ...rest } = schema;
  if (/draft-0?[67]/.test(dialect)) return new Ajv(options).compile(rest);
  return /2019-09/.test(dialect) ? new Ajv2019(options).compile(rest) : new Ajv2020(options).compile(rest);
}

const OPENING = ['additionalProperties', 'unevaluatedProperties', 'patternProperties', '$ref', '$dynamicRef'];

/**
 * The schema with `additionalProperties: false` in each plain object schema that is reached by `properties` and `items`
 * and does not speak of further members. Where a schema is composed, what one part names another may not, so that
 * these stay as they are, and the whole is closed only by what all parts name together.
 */
function closeObjects(schema: Json, whole = false): Json {
  if (!isObject(schema)) return schema;
  const copy: JsonObject = { ...schema };
  if (OPENING.some((key) => Object.hasOwn(schema, key))) return copy;
  if ([...COMPOSING].some((key) => Object.hasOwn(schema, key))) {
    if (whole) copy.unevaluatedProperties = false;
    return copy;
  }
  const items = own(schema, 'items');
  if (isObject(items)) copy.items = closeObjects(items);
  const properties = own(schema, 'properties');
  if (isObject(properties)) {
    const closed: JsonObject = {};
    for (const [name, property] of Object.entries(properties)) setOwn(closed, name, closeObjects(property));
    copy.properties = closed;
  }
  // An object of which nothing is named is a free one, but for the arguments themselves.
  if (isObject(properties) || whole) copy.additionalProperties = false;
  return copy;
}

function pointerOf(error: ErrorObject | undefined): string {
  if (error === undefined) return '';
  const params: Record<string, unknown> = error.params;
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  return typeof extra === 'string' ? error.instancePath + pointer(extra) : error.instancePath;
}

function textOf(error: ErrorObject | undefined): string {
  const { allowedValues } = (error?.params ?? {}) as { allowedValues?: unknown };
  if (Array.isArray(allowedValues)) return `must be one of ${JSON.stringify(allowedValues)}`;
  return error?.message ?? 'does not fit the schema';
}
