import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Read by `sh`: a line for each thing that happens, up to the end of the pipe, which comes when this process is gone,
 * however it ended. `n PREFIX` before a server is started, `+ GROUP` when it runs, `x GROUP` when its first process was
 * waited for (from then on the number may be another's), `e` when all of it was ended. What is open then is killed: by
 * group, and on Linux by the prefix of its private folder in the environment.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
open=0
while read -r what rest; do
  case $what in
    n) open=$((open + 1)); prefix=$rest ;;
    +) groups="$groups$rest " ;;
    x) groups="\${groups%%" $rest "*} \${groups#*" $rest "}" ;;
    e) open=$((open - 1)) ;;
  esac
done
[ "$open" -gt 0 ] || exit 0
for group in $groups; do kill -9 "-$group"; done
[ -d /proc/self ] || exit 0
for round in 1 2 3 4 5; do
  found=$(grep -laF -e "$prefix" /proc/[0-9]*/environ)
  [ -n "$found" ] || exit 0
  for file in $found; do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}"
  done
done
`;

/** What is told of one server, in this order; all but the first may be left out when it could not be started. */
export interface Watched {
  started(child: ChildProcess): void;
  /** All of it is gone. */
  ended(): void;
}

/** A private folder's path ends with these many characters that are its own. */
const OWN_CHARACTERS = 6;
const NOBODY: Watched = { started: () => undefined, ended: () => undefined };
let pipe: Socket | undefined;
let failed = false;

/**
 * To be called before a server is started outside of namespaces: should this process be killed with SIGKILL, a small
 * process of `sh` that all servers of a run share then ends what they left. `root` is the server's private folder. Not on
 * Windows, and not where there is no `/bin/sh`.
 */
export function watchOver(root: string): Watched {
  if (process.platform === 'win32' || /[\r\n]/.test(root)) return NOBODY;
  const tell = (line: string): void => {
    if (!failed) watcher()?.write(`${line}\n`);
  };
  tell(`n ${root.slice(0, -OWN_CHARACTERS)}`);
  let ended = false;
  return {
    started: (child) => {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const { pid } = child;
      tell(`+ ${pid}`);
      child.once('exit', () => tell(`x ${pid}`));
    },
    ended: () => {
      if (ended) return;
      ended = true;
      tell('e');
    },
  };
}

function watcher(): Socket | undefined {
  if (pipe !== undefined) return pipe;
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    // A session of its own: Ctrl-C goes to a terminal's whole group.
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const stop = (): void => {
    failed = true;
  };
  child.on('error', stop);
  child.on('exit', stop);
  child.unref();
  pipe = child.stdin as Socket;
  pipe.on('error', stop);
  pipe.unref();
  return pipe;
}
