import { AgentGateError } from '../util/errors.ts';
import { countValues } from '../util/json-text.ts';

/** Bytes of a file; a lock of 10,000 tools has some 30 MB. */
export const LOCK_BYTES = 96 * 1024 * 1024;
/** Estimated bytes of memory, {@link lockWeight}: with this and the live surfaces a run stays under 512 MiB. */
export const LOCK_WEIGHT = 96 * 1024 * 1024;
/** Every server and capability of a lock may become a change of a report. */
export const LOCK_SERVERS = 1_000;
export const LOCK_CAPABILITIES = 100_000;
/** From this many characters on, memory counts. */
export const LARGE_LOCK = 4 * 1024 * 1024;
/** What one value of a parsed JSON text takes beside its characters, estimated. */
const VALUE = 64;

/** What a text takes when it is parsed: V8 keeps two bytes a character as soon as one is beyond Latin-1. */
function lockWeight(text: string): number {
  return text.length * (/[^\0-\xff]/.test(text) ? 2 : 1) + countValues(text) * VALUE;
}

/** Throws `E_LOCK_TOO_LARGE` for a text that would take more memory than `room`. */
export function refuseLargeText(text: string, file: string, room: number = LOCK_WEIGHT): void {
  if (text.length <= LARGE_LOCK || lockWeight(text) <= room) return;
  throw tooLarge(file, `takes more than ${Math.round(room / 1024 / 1024)} MiB of memory`);
}

/** The parts of a text that is to be a lock; throws `E_LOCK_TOO_LARGE` when {@link refuseLargeText} would refuse it. */
export function* refuseLargeParts(parts: Iterable<string>, file: string): Generator<string> {
  let characters = 0;
  let bytes = 0;
  let values = 0;
  let width = 1;
  for (const part of parts) {
    characters += part.length;
    bytes += Buffer.byteLength(part);
    values += countValues(part);
    if (/[^\0-\xff]/.test(part)) width = 2;
    if (bytes > LOCK_BYTES || characters * width + values * VALUE > LOCK_WEIGHT)
      throw new AgentGateError(
        'E_LOCK_TOO_LARGE',
        `${file} would take more than ${LOCK_BYTES / 1024 / 1024} MiB (as a file, or in memory) and is as it was: ` +
          'skip the servers that show so much, with a reason, in agentgate.yml.',
        { file },
      );
    yield part;
  }
}

export function tooLarge(
  file: string,
  what = `takes more than ${LOCK_BYTES / 1024 / 1024} MiB (as a file, or in memory)`,
): AgentGateError {
  return new AgentGateError(
    'E_LOCK_TOO_LARGE',
    `${file} ${what}, more than any reviewed lock needs: restore it from git, or delete it and run "agentgate lock".`,
    { file },
  );
}
