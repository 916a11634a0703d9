import { join } from 'node:path';
import type { Program } from './isolate.ts';
import { LAUNCH_SCRIPT, launchText } from './isolate-script.ts';
import type { Mechanism, SandboxPlan } from './sandbox-plan.ts';

export interface SandboxOptions {
  mechanism: Mechanism;
  network: 'inherit' | 'none';
  /** Keeps the supplementary groups: a Docker socket is opened by its group. */
  keepGroups: boolean;
}

/** No way to privilege is left: not by files, not by inheritance, not by namespaces of the server's own making. */
const NO_PRIVILEGE = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];

/**
 * The command line that enters a sandbox and what must be written to its standard input first. Nothing of the
 * program itself, neither arguments nor variables, is in the command line.
 */
export function sandboxCommand(
  program: Program,
  plan: SandboxPlan,
  options: SandboxOptions,
): { file: string; args: string[]; input: Buffer } {
  const { mechanism, network } = options;
  const uid = String(process.getuid?.() ?? 0);
  const gid = String(process.getgid?.() ?? 0);
  // Elsewhere, who makes a folder already is its owner.
  const owner = mechanism === 'sudo' ? `${uid}:${gid}` : '';
  const launch = ['/bin/sh', '-c', LAUNCH_SCRIPT, 'sh'];
  const enter = [
    '/bin/sh',
    join(plan.folder, 'enter.sh'),
    plan.folder,
    plan.root,
    plan.overlayFolders.join(' '),
    owner,
    network === 'none' ? 'lo' : '',
    ...dropPrivilege(options, uid, gid),
    ...launch,
  ];
  const unshare = [
    'unshare',
    ...(mechanism === 'user-namespace' ? ['--user', '--map-root-user'] : []),
    ...['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child=KILL'],
    ...(network === 'none' ? ['--net'] : []),
    '--',
    ...enter,
  ];
  const input = launchText(program.command, program.args, program.env, program.cwd);
  if (mechanism === 'sudo') {
    const relay = ['-n', '--', '/bin/sh', join(plan.folder, 'relay.sh'), plan.folder];
    return { file: '/usr/bin/sudo', args: [...relay, ...unshare], input };
  }
  return { file: 'setpriv', args: ['--pdeathsig', 'KILL', '--', ...unshare], input };
}

function dropPrivilege({ mechanism, keepGroups }: SandboxOptions, uid: string, gid: string): string[] {
  if (mechanism === 'root') return ['setpriv', ...NO_PRIVILEGE, '--'];
  // Set last, since a change of user clears it.
  const die = ['--pdeathsig', 'KILL'];
  if (mechanism === 'sudo') {
    const groups = keepGroups ? ['--groups', (process.getgroups?.() ?? []).join(',')] : ['--clear-groups'];
    return ['setpriv', '--reuid', uid, '--regid', gid, ...groups, ...NO_PRIVILEGE, ...die, '--'];
  }
  // Root of the outer user namespace becomes the job's own user in an inner one; the capabilities it still has there are
  // what setpriv needs to drop them all.
  const back = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--keep-caps', '--'];
  return [...back, 'setpriv', ...NO_PRIVILEGE, '--'];
}
