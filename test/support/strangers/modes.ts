import { join } from 'node:path';
import { sharedDir } from '../shared.ts';

/** A way to behave, and what it must come out as beside a lock of `good`. */
export interface Mode {
  /** A script and its arguments. */
  runs: string[];
  status: 'match' | 'drift' | 'unchecked';
  /** Of an unchecked server: one of these. */
  codes?: string[];
  /** Runs into its time limit, so that one should be short. */
  slow?: boolean;
}

const STRANGE = join(import.meta.dirname, '../servers/strange-server.mjs');

/** `strange-server.mjs` in a mode. */
export function strange(mode: string, ...more: string[]): string[] {
  return [STRANGE, mode, ...more];
}

/** `closes-output`: in namespaces the pipe has another holder, whom its end would have to come from. */
const SLOW = ['never-begins', 'never-lists', 'in-an-array', 'closes-output'];

const own = (status: Mode['status'], modes: string): Mode[] =>
  modes.split(' ').map((text) => {
    const [mode = '', codes] = text.split(':');
    const slow = SLOW.includes(mode);
    return { runs: strange(mode), status, ...(codes === undefined ? {} : { codes: codes.split('|') }), slow };
  });

/** Odd, and nothing that a client should mind. */
export const HARMLESS: readonly Mode[] = own(
  'match',
  'cut crlf twice chatty string-ids reversed says-changed says-much writes-stderr lingers family late',
);

/** Each does something that must be named, and nothing more than that must come of it. */
export const MISBEHAVING: readonly Mode[] = [
  ...own(
    'unchecked',
    'dies:E_SERVER_EXIT dies-in-list:E_SERVER_EXIT crashes:E_SERVER_EXIT half-a-line:E_SERVER_EXIT ' +
      'closes-output:E_SERVER_EXIT|E_LIST never-begins:E_TIMEOUT never-lists:E_LIST list-error:E_LIST no-array:E_LIST no-list:E_LIST ' +
      'null-result:E_LIST neither:E_PROTOCOL in-an-array:E_LIST same-cursor:E_CURSOR_LOOP two-cursors:E_CURSOR_LOOP ' +
      'many-pages:E_TOO_MANY many-tools:E_TOO_MANY same-name:E_DUPLICATE_NAME same-name-nfc:E_NAMES_EQUAL_NFC ' +
      'same-key:E_UNPINNABLE surrogate:E_UNPINNABLE no-utf8:E_UNPINNABLE infinite:E_UNPINNABLE nested:E_UNPINNABLE ' +
      'nameless:E_NO_NAME huge-line:E_TOO_LARGE asks-much:E_PROTOCOL talks-much:E_PROTOCOL never-the-same:E_UNSTABLE ' +
      'refuses:E_PROTOCOL begins-badly:E_PROTOCOL future:E_PROTOCOL bad-prompts:E_LIST',
  ),
  ...own('drift', 'another-text another-tool no-tools'),
];

/** Modes of the odd servers beside the project, where they are; none of them shows what `good` does. */
export function peerModes(): Mode[] {
  const shared = sharedDir();
  if (shared === undefined) return [];
  const odd = (mode: string): string[] => [join(shared, 'peers/odd-stdio-server.mjs'), ...mode.split(' ')];
  const unchecked: [string, string][] = [
    ['surr', 'E_UNPINNABLE'],
    ['big', 'E_UNPINNABLE'],
    ['dupkeys', 'E_UNPINNABLE'],
    ['deep', 'E_UNPINNABLE'],
    ['dup', 'E_DUPLICATE_NAME'],
    ['nfc', 'E_NAMES_EQUAL_NFC'],
    ['noname', 'E_NO_NAME'],
    ['notobj', 'E_NOT_AN_OBJECT'],
    ['toolsnull', 'E_LIST'],
    ['toolsmissing', 'E_LIST'],
    ['listerr', 'E_LIST'],
    ['cursorloop', 'E_CURSOR_LOOP'],
    ['cursorab', 'E_CURSOR_LOOP'],
    ['cursorempty', 'E_CURSOR_LOOP'],
    ['huge 17000000', 'E_TOO_LARGE'],
    ['ver 2099-01-01', 'E_PROTOCOL'],
    ['exit', 'E_SERVER_EXIT'],
  ];
  return [
    ...unchecked.map(([mode, code]) => ({ runs: odd(mode), status: 'unchecked' as const, codes: [code] })),
    ...['hang', 'hang-nosig'].map((mode) => ({
      runs: odd(mode),
      status: 'unchecked' as const,
      codes: ['E_TIMEOUT'],
      slow: true,
    })),
    { runs: odd('neverlist'), status: 'unchecked', codes: ['E_LIST'], slow: true },
    ...[
      'ok',
      'garbage',
      'crlf',
      'bom',
      'strid',
      'notifmid',
      'grandchild-detached',
      'proto',
      'unknown',
      'pages',
    ].map((mode) => ({ runs: odd(mode), status: 'drift' as const })),
  ];
}
