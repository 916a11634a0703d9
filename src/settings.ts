/**
 * Every setting of the command line and the action, once: the help, `action.yml` and the README's tables are drawn
 * from this table (`npm run docs`), so they cannot disagree.
 */
export interface Setting {
  /** Name of the action's input; absent when only the command line has it. */
  input?: string;
  /** Flag of the command line as commander reads it; absent when only the action has it. */
  flag?: string;
  short?: string;
  /** The action's default, as `action.yml` states it. */
  default?: string;
  /** What the tables show for the default when it is not a plain value. */
  defaultText?: string;
  /** Allowed values, when they are few. */
  values?: readonly string[];
  /** Given more than once, or one a line in the action. */
  many?: boolean;
  text: string;
}

export const ISOLATIONS = ['auto', 'strict', 'none'] as const;
export const FAIL_ON = ['any', 'critical', 'high', 'medium', 'low', 'never'] as const;
const FORMATS = ['text', 'json', 'sarif', 'markdown'] as const;
export const COMMENT_MODES = ['auto', 'always', 'never'] as const;
export const MODES = ['check', 'comment'] as const;
/** One day: longer than any job. */
export const MAX_TIMEOUT_SECONDS = 86_400;
export const MAX_CONCURRENCY = 1024;

export const SETTINGS: readonly Setting[] = [
  {
    input: 'config',
    flag: '--config <path...>',
    default: '',
    defaultText: 'every known file',
    many: true,
    text: 'Config files or globs that declare MCP servers.',
  },
  {
    input: 'lockfile',
    flag: '--lockfile <path>',
    default: 'agentgate.lock',
    text: 'The lock, relative to the working directory; on the command line the nearest one going up, when not given.',
  },
  {
    input: 'working-directory',
    flag: '--cwd <dir>',
    default: '.',
    text: 'The folder whose servers are checked.',
  },
  {
    input: 'servers',
    flag: '--server <key...>',
    default: '',
    defaultText: 'all',
    many: true,
    text: 'Only these servers, by their key in the lock.',
  },
  {
    input: 'all-clients',
    flag: '--all-clients',
    default: 'false',
    values: ['true', 'false'],
    text: 'Key every server by its client, for configs that declare one name differently.',
  },
  {
    input: 'skills',
    flag: '--skills [dir]',
    default: '',
    defaultText: 'none',
    text: "Pin the repository's agent skills too: true for the usual folders and those in the lock, or one folder.",
  },
  {
    input: 'fail-on',
    flag: '--fail-on <severity>',
    default: '',
    defaultText: 'from the policy, else any',
    values: FAIL_ON,
    text: 'What fails the check: any drift and findings from medium, only a severity and above, or nothing.',
  },
  {
    input: 'timeout',
    flag: '--timeout <seconds>',
    default: '60',
    text: 'Seconds from the start of a server to the last page of its lists; fetching its package is not counted.',
  },
  {
    input: 'concurrency',
    flag: '--concurrency <n>',
    default: '',
    defaultText: 'twice the cores',
    text: 'How many servers run at once.',
  },
  {
    input: 'isolation',
    flag: '--isolation <mode>',
    default: 'auto',
    values: ISOLATIONS,
    text: 'How servers are kept from the job: as well as the machine can, only with namespaces, or not at all.',
  },
  {
    flag: '--starts <n>',
    defaultText: '2 for lock, init and import; else 1',
    text: 'How many times every server is started, to compare what it shows (1 or 2).',
  },
  {
    input: 'comment',
    default: 'auto',
    values: COMMENT_MODES,
    text: 'When to write the pull request comment: on change and to update an existing one, always, or never.',
  },
  {
    input: 'comment-id',
    default: '',
    defaultText: 'from working-directory and lockfile',
    text: 'Keeps the comments of several checks on one pull request apart.',
  },
  {
    input: 'mode',
    default: 'check',
    values: MODES,
    text: 'check runs the check; comment posts the comment of a report made elsewhere and starts nothing.',
  },
  {
    input: 'report',
    default: '',
    defaultText: "under the runner's temp folder",
    text: 'Where the JSON report goes; with mode comment, where it is read from.',
  },
  {
    input: 'sarif',
    default: '',
    defaultText: "under the runner's temp folder",
    text: 'Where the SARIF file goes.',
  },
  {
    input: 'github-token',
    default: '${{ github.token }}',
    text: 'Token for the comment. It needs pull-requests: write, and is never seen by a server.',
  },
  {
    input: 'allow-untrusted-code',
    default: 'false',
    values: ['true', 'false'],
    text: "Start servers that a fork declares although the event holds the repository's secrets.",
  },
  { flag: '--format <format>', defaultText: 'text', values: FORMATS, text: 'What to print.' },
  { flag: '--output <file>', text: 'Write to a file instead of standard output.' },
  { flag: '--no-color', text: 'No colours; NO_COLOR does the same.' },
  { flag: '--quiet', short: '-q', text: 'Print the verdict and errors only.' },
  { flag: '--verbose', short: '-v', text: 'More about each server, and stack traces of errors.' },
];

export interface Output {
  name: string;
  text: string;
}

export const OUTPUTS: readonly Output[] = [
  { name: 'verdict', text: 'clean, drift, findings or unchecked.' },
  { name: 'drift', text: 'true when anything differs from the lock, whatever the verdict.' },
  { name: 'changes', text: 'How many changes are not accepted.' },
  { name: 'findings', text: 'How many findings there are that no suppression covers.' },
  { name: 'unchecked', text: 'How many servers could not be checked.' },
  { name: 'report', text: 'Path of the JSON report.' },
  { name: 'sarif', text: 'Path of the SARIF file.' },
  { name: 'comment-url', text: 'Address of the pull request comment, when there is one.' },
  { name: 'lock-sha256', text: "SHA-256 of the lock's bytes." },
];

/** Exit codes: verdict, code and when. */
export const VERDICTS: readonly { verdict: string; exit: number; text: string }[] = [
  { verdict: 'clean', exit: 0, text: 'every declared server was checked and matches the lock' },
  {
    verdict: 'drift',
    exit: 1,
    text: 'something a server shows, or the list of servers, differs from the lock',
  },
  { verdict: 'findings', exit: 1, text: 'no drift, but a finding at or above the gate' },
  {
    verdict: 'unchecked',
    exit: 2,
    text: 'something could not be checked, or the call was wrong; takes precedence',
  },
];
