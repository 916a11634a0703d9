import { mapStrings } from '../lock/canonical.ts';
import { AgentGateError } from '../util/errors.ts';
import type { JsonObject } from '../util/json.ts';
import { secretSpans } from '../util/redact.ts';

/** What credentials are made of; more could be a command, and a path could lead anywhere. */
const CREDENTIAL = /^(?![./~])(?!.*\.\.)[A-Za-z0-9+/=_.~%:@-]*$/;

/**
 * Throws `E_ARGS_HIDDEN` for arguments in which something looks like a secret by its place alone (`password=…`), so that no
 * operator would see it, and could be more than one.
 */
export function refuseHiddenArguments(args: JsonObject): void {
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
