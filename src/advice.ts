import type { CaptureError } from './capture/types.ts';
import type { Source } from './config/types.ts';

const SKIP = 'or skip it with a reason in agentgate.yml';
const OF_THE_SERVER = `this is a fault of the server: tell its author, use another release, ${SKIP}`;

/** Many servers list what a database or a service holds, and fail with placeholders for credentials. */
const OF_RESOURCES = /^server answered resources\/list with error /;
const IGNORE_RESOURCES = `if what it lists is data that is not here, set resources: ignore for it in agentgate.yml; else ${OF_THE_SERVER}`;

/** A release is pinned, what it needs is not: the next major release of an SDK ends servers that worked for a year. */
const LACKS =
  /; its last words: .{0,400}?(?:(?:ModuleNotFound|Import|Attribute)Error\b|TypeError: \S+ got (?:an )?unexpected keyword|Cannot find (?:module|package)\b|does not provide an export\b)/s;
const MOVED_ON = 'a package that it needs has probably moved on since this release: use a newer release, ';

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

/** The error with a next step at the end of its sentence. `type` is that of the server's source. */
export function withAdvice(error: CaptureError, type?: Source['type']): CaptureError {
  const advice = adviceFor(error, type);
  if (advice === undefined || SAYS_WHAT_TO_DO.test(error.message)) return error;
  const at = error.message.search(/; (?:its last words: |it printed nothing )/);
  const [what, said] =
    at === -1 ? [error.message, ''] : [error.message.slice(0, at), error.message.slice(at)];
  return { ...error, message: `${what.replace(/\.$/, '')}${said}; ${advice}` };
}

function adviceFor({ code, message }: CaptureError, type: Source['type'] | undefined): string | undefined {
  if (code === 'E_LIST' && OF_RESOURCES.test(message)) return IGNORE_RESOURCES;
  if (code === 'E_SERVER_EXIT' && LACKS.test(message)) {
    if (type === 'pypi') return `${MOVED_ON}hold that package by --with, ${SKIP}`;
    if (type === 'npm') return `${MOVED_ON}${SKIP}`;
  }
  return ADVICE.get(code);
}
