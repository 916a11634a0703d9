/** Exit code of the set-up when it fails; nothing of the server has run then. */
export const SETUP_FAILED = 119;

/**
 * Runs as PID 1 of the new namespaces, with privilege there and an empty environment. Makes the mounts, makes the
 * prepared folder the root, drops every privilege, and hands over to `LAUNCH_SCRIPT`. Arguments: the plan's folder,
 * how privilege is dropped (a prefix of commands, then its arguments).
 */
export const ENTER_SCRIPT = `
fail() { echo "agentgate: isolation could not be set up: $1" >&2; exit ${SETUP_FAILED}; }
plan=$1; root=$2; overlays=$3; owner=$4; lo=$5; shift 5
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
if [ -n "$overlays" ]; then
  mount -n -t tmpfs -o mode=0711,size=2g tmpfs "$plan/scratch" || fail 'tmpfs'
  cd "$plan/scratch"
  mkdir -m 755 $overlays || fail 'overlay folders'
  [ -z "$owner" ] || chown "$owner" $overlays || fail 'overlay folders'
fi
mount -n -a -T "$plan/fstab" || fail 'mounts'
[ -z "$lo" ] || ip link set lo up 2>/dev/null || :
cd "$root" || fail 'root folder'
pivot_root . .old || fail 'pivot_root'
cd /
umount -n -l /.old || fail 'old root'
exec "$@"
fail 'privileges'
`;

/**
 * Runs without privilege. Reads shell text from standard input: as many lines as the first one says, then runs what
 * it sets as arguments. What follows on standard input is the server's. Values never travel in arguments, which
 * sudo logs.
 */
export const LAUNCH_SCRIPT = `
IFS= read -r n || exit ${SETUP_FAILED}
text=$(head -c "$n") || exit ${SETUP_FAILED}
unset IFS PWD OLDPWD n
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
eval "$text"
unset text
exec "$@"
`;

/**
 * The outer side under sudo, as root, outside of the namespaces: relays our pipe to the server, and at its end,
 * which also comes when we are killed, gives the server a moment and ends the namespace. Arguments: a folder for
 * the pipe, then the command to run.
 */
export const RELAY_SCRIPT = `
PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH
plan=$1; shift
exec 3<&0
mkfifo -m 600 "$plan/stdin" || exit ${SETUP_FAILED}
# sudo adds variables of its own.
env -i PATH="$PATH" "$@" <"$plan/stdin" 3<&- &
inner=$!
{
  cat <&3 >"$plan/stdin"
  sleep 0.5
  # PID 1 of the namespace: unshare then ends by itself, once the kernel has ended everything in there.
  read -r first rest <"/proc/$inner/task/$inner/children" && kill -KILL "$first" || kill -KILL "$inner"
} >/dev/null 2>&1 &
relay=$!
exec 3<&-
wait "$inner"
code=$?
kill -KILL "$relay" 2>/dev/null
exit "$code"
`;

/** Variables that a shell sets by itself or refuses to change. */
const READ_ONLY = new Set(['UID', 'EUID', 'PPID', 'GROUPS', 'BASHOPTS', 'SHELLOPTS', 'BASH_VERSINFO', '_']);

/**
 * The shell text for `LAUNCH_SCRIPT`: exported variables, working directory and arguments, with its length in bytes
 * on the first line. A variable whose name is no identifier cannot be set by a shell and is left out.
 */
export function launchText(command: string, args: string[], env: Map<string, string>, cwd: string): Buffer {
  const lines = [`cd ${quote(cwd)} || exit ${SETUP_FAILED}`, 'unset PWD OLDPWD'];
  for (const [name, value] of env) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || READ_ONLY.has(name)) continue;
    lines.push(`command export ${name}=${quote(value)}`);
  }
  lines.push(`set -- ${[command, ...args].map(quote).join(' ')}`);
  const text = Buffer.from(`${lines.join('\n')}\n`);
  return Buffer.concat([Buffer.from(`${text.length}\n`), text]);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
