import type { ClientCredentialsProvider } from '@modelcontextprotocol/client';
import type { ResolvedRemote } from '../config/types.ts';

/** Gives the one provider of a server's connections: they share its token. */
export type Credentials = (sdk: {
  ClientCredentialsProvider: typeof ClientCredentialsProvider;
}) => ClientCredentialsProvider;

/**
 * Client credentials as the entry declares them, or undefined. They go to the declared issuer only; without one, to the
 * server's own origin: else the server would decide who gets them.
 */
export function clientCredentials(launch: ResolvedRemote): Credentials | undefined {
  const { oauth, url } = launch;
  if (oauth === undefined) return undefined;
  let provider: ClientCredentialsProvider | undefined;
  return (sdk) => {
    provider ??= new sdk.ClientCredentialsProvider({
      clientId: oauth.clientId,
      clientSecret: oauth.clientSecret,
      ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
      expectedIssuer: oauth.issuer ?? new URL(url).origin,
    });
    return provider;
  };
}
