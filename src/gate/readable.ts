import { canonicalJson, mapStrings } from '../lock/canonical.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { secretSpans } from '../util/redact.ts';

/** Characters of a call's arguments that a human may be asked to read; and a hundred of them may wait. */
const MAX_HELD = 1024 * 1024;

/** What credentials are made of; more could be a command, and a path could lead anywhere. */
const CREDENTIAL = /^(?![./~])(?!.*\.\.)[A-Za-z0-9+/=_.~%:@-]*$/;

/**
 * Throws for arguments that no operator could decide on: `E_ARGS_TOO_LARGE`, and `E_ARGS_HIDDEN` when something looks like a
 * secret by its place alone (`password=…`), so that nobody would see it, and could be more than one.
 */
export function refuseUnreadable(args: JsonObject): void {
  const characters = canonicalJson(args).length;
  if (characters > MAX_HELD)
    throw new AgentGateError(
      'E_ARGS_TOO_LARGE',
      `The arguments have ${characters} characters, more than the ${MAX_HELD} that a human may be asked to read; call with less.`,
    );
  mapStrings(args, (text) => {
    for (const { start, end } of secretSpans(text)) {
      if (CREDENTIAL.test(text.slice(start, end))) continue;
      throw new AgentGateError(
        'E_ARGS_HIDDEN',
        'The arguments hold what looks like a secret, which no operator is shown, with characters that could be a command or a path; give secrets to the server by its environment, or leave them out.',
      );
    }
    return text;
  });
}
