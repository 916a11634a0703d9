import { programName, scriptTokens, splitCommandLine } from './command-line.ts';
import { readOptions, wordSet } from './options.ts';

/** What is left when everything that only starts another program is taken away. */
export type Peeled = { words: string[] } | { opaque: true } | { script: string };

const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const SHELLS = wordSet('sh bash zsh dash ash ksh fish');
/** Programs that run what follows, after their own options (which of them take a value). */
const PREFIXES = new Map<string, ReadonlySet<string>>([
  ['nohup', wordSet('')],
  ['exec', wordSet('-a')],
  ['command', wordSet('')],
  ['time', wordSet('-o -f')],
  ['setsid', wordSet('')],
  ['stdbuf', wordSet('-i -o -e --input --output --error')],
  ['nice', wordSet('-n --adjustment')],
  ['ionice', wordSet('-c -n --class --classdata')],
  ['sudo', wordSet('-u -g -h -p -C -D -R -T --user --group --host --prompt --chdir')],
  ['doas', wordSet('-u -C')],
  ['caffeinate', wordSet('-t -w')],
  ['unbuffer', wordSet('')],
  ['tini', wordSet('-p -e')],
  ['dumb-init', wordSet('-r --rewrite')],
  ['xvfb-run', wordSet('-n -s -f -e -p --server-num --server-args --auth-file --error-file')],
  ['proxychains', wordSet('-f')],
  ['proxychains4', wordSet('-f')],
  ['arch', wordSet('-e')],
  ['firejail', wordSet('')],
  ['bwrap', wordSet('--bind --ro-bind --dev --proc --tmpfs --dir --setenv --unsetenv --chdir')],
  ['corepack', wordSet('')],
  ['busybox', wordSet('')],
  ['winpty', wordSet('')],
  ['dotenv', wordSet('-e -v -p -c')],
  ['env-cmd', wordSet('-f --file -r --rc-file -e --environments')],
  ['cross-env', wordSet('')],
  ['cross-env-shell', wordSet('')],
]);
/** Programs whose own words end at `--`. */
const UNTIL_DASHES = wordSet(
  'op dotenvx doppler mise rtx infisical aws-vault chamber vault varlock teller envchain devbox flox keyring secretspec',
);
/** `program subcommand`, options, then the command. */
const SUBCOMMANDS = new Map<string, { word: string; values: ReadonlySet<string>; skip: number }>([
  ['volta', { word: 'run', values: wordSet('--node --npm --yarn --pnpm'), skip: 0 }],
  ['fnm', { word: 'exec', values: wordSet('--using --fnm-dir --log-level'), skip: 0 }],
  ['nvm', { word: 'exec', values: wordSet(''), skip: 1 }],
  ['asdf', { word: 'exec', values: wordSet(''), skip: 0 }],
  ['pyenv', { word: 'exec', values: wordSet(''), skip: 0 }],
  ['direnv', { word: 'exec', values: wordSet(''), skip: 1 }],
  ['envchain', { word: '', values: wordSet(''), skip: 1 }],
]);

/** More wrappers than this around one server hide something. */
const MAX_WRAPPERS = 12;

/** Takes off `env`, shells, `sudo`, `cmd /c` and the like. Never runs or expands anything. */
export function peelWrappers(words: readonly string[]): Peeled {
  let current: Peeled = { words: [...words] };
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    if (!('words' in current)) return current;
    const next: Peeled | undefined = peelOne(current.words);
    if (!next) return current;
    current = next;
  }
  return { opaque: true };
}

/** True for the name of a program that only starts another. */
export function isWrapper(name: string): boolean {
  return (
    SHELLS.has(name) ||
    PREFIXES.has(name) ||
    UNTIL_DASHES.has(name) ||
    SUBCOMMANDS.has(name) ||
    /^(env|cmd|powershell|pwsh|wsl|timeout|gtimeout)$/.test(name)
  );
}

function peelOne(words: string[]): Peeled | undefined {
  const [command, ...args] = words;
  if (command === undefined) return undefined;
  const name = programName(command);
  if (name === 'env') return peelEnv(args);
  if (name === 'cmd') return peelCmd(args);
  if (name === 'powershell' || name === 'pwsh') return peelPowerShell(args);
  if (name === 'wsl')
    return found(
      readOptions(dropWord(args, '-e', '--exec'), { values: wordSet('-d --distribution -u --user --cd') })
        .rest,
    );
  if (name === 'timeout' || name === 'gtimeout') {
    return found(readOptions(args, { values: wordSet('-k --kill-after -s --signal') }).rest.slice(1));
  }
  if (SHELLS.has(name)) return peelShell(args);
  if (UNTIL_DASHES.has(name)) return peelUntilDashes(args);
  const sub = SUBCOMMANDS.get(name);
  if (sub && args[0] === sub.word)
    return found(readOptions(args.slice(1), { values: sub.values }).rest.slice(sub.skip));
  const values = PREFIXES.get(name);
  if (!values) return undefined;
  return found(afterAssignments(readOptions(args, { values }).rest));
}

function found(words: string[]): Peeled | undefined {
  const rest = words[0] === '--' ? words.slice(1) : words;
  return rest.length > 0 ? { words: rest } : undefined;
}

function afterAssignments(words: string[]): string[] {
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  return start < 0 ? [] : words.slice(start);
}

function dropWord(words: string[], ...dropped: string[]): string[] {
  return words.filter(
    (word, index) => !(dropped.includes(word) && words.slice(0, index).every((w) => w !== '--')),
  );
}

function peelEnv(args: string[]): Peeled | undefined {
  const values = wordSet('-u --unset -C --chdir -S --split-string -P -vS');
  const line: string[] = [];
  let words = args;
  // BSD and GNU differ on options after assignments; both are taken off.
  while (/^-|^[A-Za-z_]\w*=/.test(words[0] ?? '')) {
    const { options, rest } = readOptions(words[0] === '-' ? words.slice(1) : words, {
      values,
      attached: true,
    });
    for (const { name, value } of options) {
      if (name === '-S' || name === '--split-string' || name === '-vS') line.push(...splitCommandLine(value));
    }
    words = afterAssignments(rest);
    if (words.length === 0 || words.length === args.length) break;
  }
  return found(afterAssignments([...line, ...words]));
}

function peelCmd(args: string[]): Peeled | undefined {
  const at = args.findIndex((arg) => /^\/[ck]$/i.test(arg));
  if (at < 0) return undefined;
  const rest = args.slice(at + 1);
  return lineOrWords(rest);
}

/** One word is a whole line for the shell; several are the words themselves. */
function lineOrWords(rest: string[]): Peeled | undefined {
  const [only] = rest;
  if (rest.length === 1 && only !== undefined && /\s/.test(only)) return peelScript(only);
  return rest.some((word) => /^(&&|\|\||[|&;])$/.test(word)) ? { opaque: true } : found(rest);
}

function peelPowerShell(args: string[]): Peeled | undefined {
  for (let i = 0; i < args.length; i++) {
    const flag = (args[i] ?? '').toLowerCase();
    if (flag === '-command' || flag === '-c') {
      const script = args
        .slice(i + 1)
        .join(' ')
        .trim()
        .replace(/^&\s*/, '');
      return peelScript(script);
    }
    if (flag === '-file' || flag === '-f') return { script: args[i + 1] ?? '' };
    if (flag.startsWith('-enc') || flag === '-e') return { opaque: true };
    if (
      /^-(executionpolicy|ep|ex|version|windowstyle|w|inputformat|outputformat|configurationname|workingdirectory|wd)$/.test(
        flag,
      )
    )
      i++;
    else if (!flag.startsWith('-')) return peelScript(args.slice(i).join(' '));
  }
  return undefined;
}

function peelShell(args: string[]): Peeled | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (/^-[A-Za-z]*c$/.test(arg)) {
      // Options may still stand between -c and the script: bash -c -l "…".
      const script = args.slice(i + 1).find((word) => !/^-[A-Za-z]+$/.test(word));
      return script === undefined ? { opaque: true } : peelScript(script);
    }
    if (arg === '-o' || arg === '+o' || arg === '-O' || arg === '--rcfile' || arg === '--init-file') i++;
    else if (!arg.startsWith('-')) return { script: arg };
  }
  return { opaque: true };
}

const SETTING_UP = wordSet('cd export source . set umask unset nvm ulimit true :');

/** Only a chain by `&&` of steps that set the stage, and one plain command at its end, can be read. */
function peelScript(script: string): Peeled | undefined {
  const steps: string[][] = [[]];
  for (const { text, operator } of scriptTokens(script.trim())) {
    if (operator && text === '&&') steps.push([]);
    else if (operator) return { opaque: true };
    else if (!/^2>/.test(text)) steps.at(-1)?.push(text);
  }
  const last = steps.pop() ?? [];
  if (!steps.every((step) => SETTING_UP.has(step[0] ?? ''))) return { opaque: true };
  const words = afterAssignments(last);
  return words.length > 0 ? { words } : { opaque: true };
}

function peelUntilDashes(args: string[]): Peeled | undefined {
  const dashes = args.indexOf('--');
  if (dashes >= 0) return found(args.slice(dashes + 1));
  const at = args.findIndex((arg) => arg === '--command' || arg.startsWith('--command='));
  if (at < 0) return undefined;
  const line = args[at] === '--command' ? args[at + 1] : args[at]?.slice('--command='.length);
  return line === undefined ? undefined : peelScript(line);
}
