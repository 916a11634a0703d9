import type { Source } from '../config/types.ts';
import type { LockedServer } from '../lock/types.ts';
import { compareLaunch } from './launch.ts';
import type { Cause } from './types.ts';

export interface CauseInput {
  locked: LockedServer;
  live: LockedServer;
  declaredSource?: Source;
  /** Whether this pull request changed the server's entry in its config; absent when not known. */
  touched?: boolean;
}

/** Why a surface drifted, as far as the two entries tell, with one plain sentence. */
export function findCause({ locked, live, touched }: CauseInput): { cause: Cause; text: string } {
  const launch = compareLaunch(locked, live);
  if (launch.length > 0)
    return { cause: 'launch-changed', text: 'The config now starts the server in another way.' };
  const [old, now] = [locked.source, live.source];
  if (old?.version !== undefined && now?.version !== undefined && old.version !== now.version)
    return {
      cause: 'release-changed',
      text: `The release went from ${old.version} to ${now.version}${touched ? ', bumped in this pull request' : ''}.`,
    };
  return { cause: 'unknown', text: 'Nothing that AgentGate records tells why.' };
}
