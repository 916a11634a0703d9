import type { Expansion } from './expansion.ts';
import type { RemoteLaunch, ResolvedRemote } from './types.ts';

/** RFC 9110 §5.6.2: the characters of a header's name. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110 §5.5: visible characters, space, tab and obs-text; never CR or LF, which would start another header. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Expands a remote launch. Throws `E_VARIABLE`, `E_URL`, `E_HEADER`. */
export function resolveRemote(launch: RemoteLaunch, expansion: Expansion): ResolvedRemote {
  const headers = new Map<string, string>();
  for (const [name, value] of launch.headers)
    addHeader(headers, name, expansion.text(value, 'headers'), expansion);
  for (const [name, variable] of launch.variableHeaders) {
    addHeader(headers, name, expansion.variable(variable), expansion);
  }
  if (launch.bearerTokenVariable !== undefined) {
    addHeader(
      headers,
      'Authorization',
      `Bearer ${expansion.variable(launch.bearerTokenVariable)}`,
      expansion,
    );
  }
  const url = httpUrl(expansion.text(launch.url, 'url'), headers, expansion);
  const resolved: ResolvedRemote = { transport: launch.transport, url, headers };
  if (launch.oauth) {
    const { clientId, clientSecret, scope, issuer } = launch.oauth;
    const secret = expansion.text(clientSecret, 'headers');
    expansion.addSecret(secret, 'oauth.clientSecret');
    resolved.oauth = { clientId: expansion.text(clientId, 'headers'), clientSecret: secret };
    if (scope !== undefined) resolved.oauth.scope = scope;
    if (issuer !== undefined) resolved.oauth.issuer = issuer;
  }
  return resolved;
}

function addHeader(headers: Map<string, string>, name: string, value: string, expansion: Expansion): void {
  const server = JSON.stringify(expansion.declared.key);
  const shown = JSON.stringify(name);
  if (!HEADER_NAME.test(name))
    throw expansion.error('E_HEADER', `Server ${server}: ${shown} is no name of a header.`);
  if (!HEADER_VALUE.test(value)) {
    throw expansion.error(
      'E_HEADER',
      `Server ${server}: the value of header ${shown} holds a line break or another character that a header cannot; set it without.`,
    );
  }
  if ([...headers.keys()].some((key) => key.toLowerCase() === name.toLowerCase())) {
    throw expansion.error('E_HEADER', `Server ${server} has the header ${shown} twice; remove one.`);
  }
  headers.set(name, value);
}

/** The URL, checked; user-info becomes the header that it stands for, as `fetch` refuses it in a URL. */
function httpUrl(text: string, headers: Map<string, string>, expansion: Expansion): string {
  const server = JSON.stringify(expansion.declared.key);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw expansion.error('E_URL', `Server ${server} has a url that is none; write it as https://host/path.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw expansion.error(
      'E_URL',
      `Server ${server} has a url that is neither http nor https, and cannot be checked.`,
    );
  }
  if (url.username === '' && url.password === '') return text;
  const user = decoded(url.username);
  const password = decoded(url.password);
  expansion.addSecret(password, 'url');
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  expansion.addSecret(basic, 'url');
  url.username = '';
  url.password = '';
  if (![...headers.keys()].some((key) => key.toLowerCase() === 'authorization')) {
    headers.set('Authorization', `Basic ${basic}`);
  }
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
