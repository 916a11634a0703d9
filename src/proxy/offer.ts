import { MODERN_VERSION } from '../capture/handshake.ts';
import { isObject, type JsonObject, own } from '../util/json.ts';
import type { Gateway } from './gateway.ts';
import { legacyVersion, serverInfo } from './revision.ts';
import type { VerifiedSurface } from './surface.ts';

/** Milliseconds that a beginning waits for the surface; after that the client is answered, and calls are refused. */
const WAIT_MS = 20_000;

/** Answers `initialize`. */
export async function initializeResult(gateway: Gateway, params: JsonObject): Promise<JsonObject> {
  const surface = await surfaceSoon(gateway);
  return {
    protocolVersion: legacyVersion(params),
    capabilities: capabilities(gateway),
    serverInfo: serverInfo(gateway.server),
    ...(surface?.instructions === undefined ? {} : { instructions: surface.instructions }),
  };
}

/** Answers `server/discover`. */
export async function discoverResult(gateway: Gateway): Promise<JsonObject> {
  const surface = await surfaceSoon(gateway);
  return {
    supportedVersions: [MODERN_VERSION],
    capabilities: capabilities(gateway),
    ...(surface?.instructions === undefined ? {} : { instructions: surface.instructions }),
  };
}

/** What the server can do and the proxy passes on, by the lock and by what the server says of itself. */
function capabilities(gateway: Gateway): JsonObject {
  const { locked } = gateway.upstream;
  const server = gateway.upstream.capabilities ?? {};
  const says = (name: string, member: string): boolean => {
    const capability = own(server, name);
    return isObject(capability) && own(capability, member) === true;
  };
  const has = (name: string): boolean => isObject(own(server, name));
  // Its own tools are there in any case, and a tool can be refused at any time.
  const offered: JsonObject = { tools: { listChanged: true } };
  const prompts = locked.prompts?.size ?? 0;
  const templates = locked.resourceTemplates?.size ?? 0;
  if (prompts > 0) offered.prompts = { listChanged: true };
  if ((locked.resources?.size ?? 0) + templates > 0)
    offered.resources = {
      listChanged: true,
      ...(says('resources', 'subscribe') ? { subscribe: true } : {}),
    };
  if (has('logging')) offered.logging = {};
  if (has('completions') && prompts + templates > 0) offered.completions = {};
  return offered;
}

async function surfaceSoon(gateway: Gateway): Promise<VerifiedSurface | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), WAIT_MS);
  });
  try {
    return await Promise.race([gateway.upstream.surface(), late]);
  } finally {
    clearTimeout(timer);
  }
}
