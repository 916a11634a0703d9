import { createMasker, type HostPaths, type Masker } from './mask.ts';
import { createSecretMask } from './mask-secrets.ts';

/** What is not to be pinned as a server sends it. */
export interface MaskedFacts {
  /** Folders of the host that the server was given: replaced in every text. */
  paths: HostPaths;
  /** Values that the server was given, each to the name of its variable or header. */
  secrets?: ReadonlyMap<string, string>;
}

/** Every mask of a text, a name or a URI that needs no policy: credentials first, then host paths. */
export function createSurfaceMask({ paths, secrets }: MaskedFacts): Masker {
  const credentials = createSecretMask(secrets);
  const host = createMasker(paths);
  return (text, used) => host(credentials(text, used), used);
}
