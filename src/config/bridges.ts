import { readOptions, wordSet } from './options.ts';
import type { Origin } from './origin.ts';

const BRIDGES: Record<string, (args: readonly string[]) => Origin | undefined> = {
  'npm mcp-remote': (args) => plainUrl(args, '--transport'),
  'npm mcp-remote-client': (args) => plainUrl(args, '--transport'),
  'npm @pyroprompts/mcp-stdio-to-streamable-http-adapter': () => undefined,
  'npm supergateway': gateway,
  'npm mcp-proxy': (args) => plainUrl(args, '--transport'),
  'pypi mcp-proxy': (args) => plainUrl(args, '--transport'),
  'npm @smithery/cli': () => undefined,
};

/** Options of the bridges that take a value. */
const VALUES = wordSet(`
  --header -H --headers --transport --host --resource --static-oauth-client-metadata --static-oauth-client-info
  --auth-timeout --ignore-tool --authorize-resource --client-id --client-secret --token-url --protocolVersion
  --oauth2Bearer --logLevel --proxy --auth-server-url --scope
`);

/** The remote that a bridge connects to; undefined for a program that is no bridge, or one used the other way. */
export function bridgedRemote(bridge: Origin, args: readonly string[]): Origin | undefined {
  const key = `${bridge.type} ${bridge.package ?? ''}`;
  const remote = Object.hasOwn(BRIDGES, key) ? BRIDGES[key]?.(args) : undefined;
  return remote && { ...remote, via: bridge };
}

function plainUrl(args: readonly string[], transportOption: string): Origin | undefined {
  let url: string | undefined;
  let transport = '';
  let left = args;
  while (left.length > 0) {
    const { options, rest } = readOptions(left, { values: VALUES });
    for (const { name, value } of options) if (name === transportOption) transport = value;
    const [word, ...others] = rest;
    if (word !== undefined && url === undefined && /^(https?:\/\/|\$\{|\$[A-Z])/.test(word)) url = word;
    else if (word !== undefined && url === undefined) return undefined;
    left = others;
  }
  return url === undefined
    ? undefined
    : { type: 'remote', url, transport: /^sse/.test(transport) ? 'sse' : 'http' };
}

/** supergateway: `--streamableHttp URL` or `--sse URL` connects to a remote; `--stdio` serves a local one. */
function gateway(args: readonly string[]): Origin | undefined {
  const { options } = readOptions(args, {
    values: new Set([...VALUES, '--streamableHttp', '--sse', '--stdio']),
  });
  if (options.some(({ name }) => name === '--stdio')) return undefined;
  for (const { name, value } of options) {
    if (name === '--streamableHttp' && value !== '') return { type: 'remote', url: value, transport: 'http' };
    if (name === '--sse' && value !== '') return { type: 'remote', url: value, transport: 'sse' };
  }
  return undefined;
}
