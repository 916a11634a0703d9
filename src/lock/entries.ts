import type { Lock } from './types.ts';

/** What a lock has entries of, in words: `2 servers`, `1 server and 1 skills folder`. */
export function entriesOf({ servers }: Lock): string {
  const skills = [...servers.values()].filter(({ transport }) => transport === 'skills').length;
  const others = servers.size - skills;
  return [
    ...(others > 0 || skills === 0 ? [`${others} ${others === 1 ? 'server' : 'servers'}`] : []),
    ...(skills > 0 ? [`${skills} skills ${skills === 1 ? 'folder' : 'folders'}`] : []),
  ].join(' and ');
}
