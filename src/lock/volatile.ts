import { type Context, createContext, runInContext } from 'node:vm';
import type { ServerPolicy, VolatileRule } from '../config/types.ts';
import { AgentGateError } from '../util/errors.ts';
import { type Json, type JsonObject, pointerTokens, setOwn } from '../util/json.ts';
import type { CapabilityKind } from './types.ts';

/** UTF-16 code units of one text that a `volatile` pattern is run over; longer ones are refused. */
const MAX_TEXT = 1_000_000;
/** Milliseconds for one pattern over one text. A pattern of the policy meets a text of a stranger. */
const MAX_MS = 500;

/** Time that the rules of one server may take in all, in milliseconds; counted down. */
export interface VolatileBudget {
  leftMs: number;
}

/** Four texts that each take all they may. */
export function volatileBudget(): VolatileBudget {
  return { leftMs: 4 * MAX_MS };
}

/** A mask that could not be applied; `message` is a clause about the text at `pointer`. */
export class VolatileError extends AgentGateError {
  readonly pointer: string;

  constructor(pointer: string, message: string, options?: { cause?: unknown }) {
    super('E_VOLATILE_LIMIT', message, {}, options);
    this.name = 'VolatileError';
    this.pointer = pointer;
  }
}

/** The rules that apply to one capability, or to the instructions. `*` stands for any name. */
export function volatileRules(
  policy: ServerPolicy,
  kind: CapabilityKind | 'instructions',
  name: string,
): VolatileRule[] {
  return policy.volatile.filter((rule) => {
    if (kind === 'instructions') return rule.instructions === true;
    const wanted = kind === 'skill' ? undefined : rule[kind];
    return wanted !== undefined && (wanted === '*' || wanted === name);
  });
}

/**
 * Replaces what the rules' patterns match by `${volatile}`, in the text at each rule's pointer, or in every text below
 * it when an object or array is there, and calls `onMask` with the rule if that changed something. A pointer that leads nowhere
 * changes nothing. The value is not changed in place.
 *
 * Throws `E_VOLATILE_LIMIT` when a text is longer than 1,000,000 code units or a pattern runs longer than half a
 * second over one text, or when the budget is used up: then nothing may be pinned.
 */
export function applyVolatile(
  value: Json,
  rules: readonly VolatileRule[],
  budget: VolatileBudget,
  onMask: (rule: VolatileRule) => void,
): Json {
  return rules.reduce((current, rule) => {
    const replace = (text: string): string => {
      const masked = replaceBounded(text, rule, budget);
      if (masked !== text) onMask(rule);
      return masked;
    };
    return changeAt(current, pointerTokens(rule.field), (at) => mapValues(at, replace));
  }, value);
}

/** Only texts, no keys: a mask must not be able to hide a parameter's name. */
function mapValues(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapValues(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const object: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(object, key, mapValues(value[key] as Json, change));
  return object;
}

function changeAt(value: Json, tokens: readonly string[], change: (value: Json) => Json): Json {
  const [token, ...rest] = tokens;
  if (token === undefined) return change(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return value;
  if (Array.isArray(value)) {
    if (!/^(?:0|[1-9]\d*)$/.test(token)) return value;
    return value.map((item, index) => (index === Number(token) ? changeAt(item, rest, change) : item));
  }
  const object: JsonObject = {};
  for (const key of Object.keys(value))
    setOwn(object, key, key === token ? changeAt(value[key] as Json, rest, change) : (value[key] as Json));
  return object;
}

let context: Context | undefined;

function replaceBounded(text: string, rule: VolatileRule, budget: VolatileBudget): string {
  if (text.length > MAX_TEXT)
    throw new VolatileError(
      rule.field,
      `is longer than the ${MAX_TEXT} characters that a volatile rule may search`,
    );
  const limit = Math.min(MAX_MS, Math.ceil(budget.leftMs));
  if (limit <= 0)
    throw new VolatileError(
      rule.field,
      'was not searched: the volatile rules of its server took too long altogether',
    );
  context ??= createContext(Object.create(null));
  const flags = rule.pattern.flags.replace(/[gy]/g, '');
  Object.assign(context, { text, source: rule.pattern.source, flags: `${flags}g` });
  const start = performance.now();
  try {
    // V8 looks for the time-out while a pattern backtracks.
    return String(runInContext(REPLACE, context, { timeout: limit }));
  } catch (cause) {
    throw new VolatileError(rule.field, `kept the pattern of its volatile rule busy for over ${limit} ms`, {
      cause,
    });
  } finally {
    budget.leftMs -= performance.now() - start;
    Object.assign(context, { text: '' });
  }
}

const REPLACE = "text.replace(new RegExp(source, flags), (match) => (match === '' ? '' : '${volatile}'))";
