import type { LockedServer } from '../lock/types.ts';

/** What moved around a server without being a change of its own: its release, its protocol, its transport. */
export function releaseNotes(
  before: LockedServer,
  after: LockedServer,
): readonly (readonly [code: string, message: string])[] {
  const notes: [string, string][] = [];
  const [old, now] = [before.source, after.source];
  if (old && now && old.version !== now.version)
    notes.push(['release-changed', `release ${old.version ?? 'unknown'} became ${now.version ?? 'unknown'}`]);
  else if (old?.integrity !== undefined && now?.integrity !== undefined && old.integrity !== now.integrity)
    notes.push([
      'integrity-changed',
      `release ${now.version ?? 'unknown'} is another package than the one that was locked (integrity differs)`,
    ]);
  const [spoken, speaks] = [before.protocolVersion, after.protocolVersion];
  if (spoken !== undefined && speaks !== undefined && spoken !== speaks)
    notes.push(['protocol-changed', `protocol ${spoken} became ${speaks}`]);
  const [was, is] = [before.transport, after.transport];
  if (was !== undefined && is !== undefined && was !== is && ![was, is].includes('stdio'))
    notes.push(['transport-changed', `transport ${was} became ${is}`]);
  return notes;
}
