import type { CaptureOptions, Progress } from './capture.ts';
import type { Deadline } from './deadline.ts';
import type { Handshake, Refusal } from './handshake.ts';
import { type Reading, readSurface } from './read-surface.ts';
import type { Session } from './session.ts';

/** A way to begin a session. */
export type Begin = (session: Session) => Promise<Handshake | Refusal>;

/**
 * Opens a session, begins it and reads the surface. Counts both times into `progress`; starting counts from `from`, a
 * time of the deadline. Gives the refusal of a server that wants to begin another way.
 */
export async function converse(
  session: Session,
  begin: Begin,
  deadline: Deadline,
  from: number,
  options: CaptureOptions,
  progress: Progress,
): Promise<Reading | Refusal> {
  let handshake: Handshake | Refusal;
  try {
    await session.open();
    handshake = await begin(session);
  } finally {
    progress.times.startMs += Math.round(deadline.elapsed() - from);
  }
  if ('refused' in handshake) return handshake;
  options.onProgress?.('listing');
  const listing = deadline.elapsed();
  try {
    return await readSurface(session, handshake, { ignoreResources: options.policy.resources === 'ignore' });
  } finally {
    progress.times.listMs += Math.round(deadline.elapsed() - listing);
  }
}
