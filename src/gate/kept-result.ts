import { mapStrings } from '../lock/canonical.ts';
import type { Json } from '../util/json.ts';

/** Characters of a result that the ledger keeps for `agentgate_result`. */
const MAX_RESULT = 256 * 1024;

/** A result as the ledger keeps it: without secrets, and cut when it is long. */
export function keptResult(result: Json, redact: (text: string) => string): Json {
  const clean = redactedJson(result, redact);
  const text = JSON.stringify(clean);
  if (text.length <= MAX_RESULT) return clean;
  return { truncated: true, characters: text.length, start: text.slice(0, MAX_RESULT).toWellFormed() };
}

/** Every text of a value without secrets. */
export function redactedJson(value: Json, redact: (text: string) => string): Json {
  try {
    return mapStrings(value, (text) => redact(text).toWellFormed());
  } catch {
    return { redacted: true };
  }
}
