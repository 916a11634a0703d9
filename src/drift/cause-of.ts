import type { ServerPolicy } from '../config/types.ts';
import { type CauseInput, type FoundCause, findCause, gateCause } from './cause.ts';
import { maskCause } from './mask-cause.ts';
import type { Change } from './types.ts';

/** Why a server's changes came about: the proxy's entry alone, the policy's masks alone, else what {@link findCause} tells. */
export function causeOf(
  changes: readonly Change[],
  input: CauseInput & { policy: ServerPolicy },
): FoundCause {
  return gateCause(changes, input.touched) ?? maskCause(changes, input) ?? findCause(input);
}
