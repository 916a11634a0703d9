import { describe, expect, it } from 'vitest';
import { probeIsolation } from '../../src/capture/isolate.ts';
import { type KillPlan, kills } from '../support/strangers/kills.ts';

const isLinux = process.platform === 'linux';
const probe = isLinux ? await probeIsolation() : { overlay: false };
type Way = Pick<KillPlan, 'entry' | 'isolation' | 'signal'>;

const ways: Way[] = [
  { entry: 'ci', isolation: 'none', signal: 'SIGTERM' },
  { entry: 'lock', isolation: 'none', signal: 'SIGINT' },
  { entry: 'ci', isolation: 'none', signal: 'SIGKILL' },
];
if (probe.mechanism !== undefined)
  ways.push(
    { entry: 'action', isolation: 'auto', signal: 'SIGINT' },
    { entry: 'ci', isolation: 'auto', signal: 'SIGKILL' },
  );

describe.skipIf(!isLinux)('killed at random moments of a run with ten servers (Linux, by /proc)', () => {
  it.each(ways)('$entry, isolation $isolation, $signal: nothing is left', async (way) => {
    const { wrong } = await kills({ ...way, seed: 7, count: 1, whole: 1_500 });
    expect(wrong).toEqual([]);
  });
});
