import type { ResolvedStdio, Source } from '../config/types.ts';

/** The source with the release and integrity that really ran, where they can be learned; else as it was. */
export async function resolveSource(source: Source, _launch: ResolvedStdio): Promise<Source> {
  return source;
}
