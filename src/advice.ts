import type { CaptureError } from './capture/types.ts';

const SKIP = 'or skip it with a reason in agentgate.yml';
const OF_THE_SERVER = `this is a fault of the server: tell its author, use another release, ${SKIP}`;

/** Many servers list what a database or a service holds, and fail with placeholders for credentials. */
const OF_RESOURCES = /^server answered resources\/list with error /;
const IGNORE_RESOURCES = `if what it lists is data that is not here, set resources: ignore for it in agentgate.yml; else ${OF_THE_SERVER}`;

/** What to do next about a failure whose message says only what is wrong. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['E_SERVER_EXIT', `start its command by hand to see why, ${SKIP}`],
  ['E_SPAWN', `start its command by hand to see why, ${SKIP}`],
  ['E_CONNECT', `check its url and that it can be reached from here, ${SKIP}`],
  ['E_HTTP', `check its url and the headers that its config gives it, ${SKIP}`],
  ['E_AUTH', `give it credentials by a variable that its config names, ${SKIP}`],
  ['E_LIST', OF_THE_SERVER],
  ['E_CURSOR_LOOP', OF_THE_SERVER],
  ['E_PROTOCOL', OF_THE_SERVER],
  ['E_TOO_LARGE', OF_THE_SERVER],
  ['E_TOO_MANY', OF_THE_SERVER],
  ['E_TOO_DEEP', OF_THE_SERVER],
  ['E_UNPINNABLE', OF_THE_SERVER],
  ...[
    'E_NO_NAME',
    'E_DUPLICATE_NAME',
    'E_NAMES_EQUAL_NFC',
    'E_KEYS_EQUAL',
    'E_LONE_SURROGATE',
    'E_MARKS',
    'E_NUMBER',
    'E_MEMBER',
    'E_NOT_AN_OBJECT',
    'E_NOT_A_TEXT',
  ].map((code): [string, string] => [code, OF_THE_SERVER]),
]);

const SAYS_WHAT_TO_DO = /agentgate\.yml|[:;] (?:check|correct|raise|set|give|install|use) /;

/** The error with a next step in its sentence, before the server's own last words. */
export function withAdvice(error: CaptureError): CaptureError {
  const advice =
    error.code === 'E_LIST' && OF_RESOURCES.test(error.message) ? IGNORE_RESOURCES : ADVICE.get(error.code);
  if (advice === undefined || SAYS_WHAT_TO_DO.test(error.message)) return error;
  const at = error.message.search(/; (?:its last words: |it printed nothing )/);
  const [what, said] =
    at === -1 ? [error.message, ''] : [error.message.slice(0, at), error.message.slice(at)];
  return { ...error, message: `${what.replace(/\.$/, '')}${said}; ${advice}` };
}
