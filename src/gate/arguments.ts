import { canonicalJson } from '../lock/canonical.ts';
import { AgentGateError, messageOf } from '../util/errors.ts';
import { isObject, type JsonObject } from '../util/json.ts';
import { describeProblem, problemsOf } from '../util/strict-json.ts';

/**
 * A copy of a call's arguments with every key once, in one order: what is checked, hashed, shown and sent is this. Throws
 * `E_ARGS_INVALID` for what has no canonical form, and for what two readers take for different things (keys that are equal
 * after NFC), which no ledger can hold.
 */
export function canonicalArguments(given: unknown): JsonObject {
  let text: string;
  try {
    text = canonicalJson((given ?? {}) as JsonObject);
  } catch (error) {
    throw invalid(`have no canonical form: ${messageOf(error)}`);
  }
  const copy: unknown = JSON.parse(text);
  if (!isObject(copy)) throw invalid('are no object.');
  const [problem] = problemsOf(text, copy);
  if (problem !== undefined) throw invalid(`can be read in two ways: ${describeProblem(problem)}.`);
  return copy;
}

function invalid(what: string): AgentGateError {
  return new AgentGateError('E_ARGS_INVALID', `The arguments ${what}`);
}
