import { basename } from 'node:path';

/** True for the programs that start containers by a daemon's socket: with them, the socket is declared. */
export function isContainerTool(command: string): boolean {
  return ['docker', 'podman', 'nerdctl'].includes(basename(command).replace(/\.exe$/i, ''));
}
