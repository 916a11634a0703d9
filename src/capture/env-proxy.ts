import http from 'node:http';
import { AgentGateError } from '../util/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `NO_PROXY` of Node.js has no such rule of its own; what listens on this machine is not for a proxy to reach. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1'];
let done = false;

/**
 * Makes `fetch` heed `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (or in lower case) of this process's environment, as
 * Node.js does it from 24.14 on; without those variables, and on older releases, nothing is changed. To be called before
 * the first request. Throws `E_PROXY` for a value that is no proxy's URL, which is not shown, as it may hold a password.
 */
export function heedProxyVariables(env: Environment = process.env): void {
  if (done) return;
  done = true;
  const { http: plain, https: secure } = proxies(env);
  if ((plain ?? secure) === undefined || env.NODE_USE_ENV_PROXY === '1') return;
  const noProxy = [env.NO_PROXY ?? env.no_proxy ?? '', ...LOOPBACK].filter((entry) => entry !== '').join(',');
  try {
    http.setGlobalProxyFromEnv?.({
      ...(plain === undefined ? {} : { HTTP_PROXY: plain, http_proxy: plain }),
      ...(secure === undefined ? {} : { HTTPS_PROXY: secure, https_proxy: secure }),
      NO_PROXY: noProxy,
      no_proxy: noProxy,
    });
  } catch {
    done = false;
    throw new AgentGateError(
      'E_PROXY',
      'the variables HTTP_PROXY and HTTPS_PROXY must hold URLs such as http://proxy.example:8080; correct or unset them',
    );
  }
}

/**
 * What a failed connection to a URL has to do with a proxy, a clause to be appended; empty when no variable names one for
 * such URLs.
 */
export function proxyNote(
  url: URL,
  env: Environment = process.env,
  heeded: boolean = typeof http.setGlobalProxyFromEnv === 'function' || env.NODE_USE_ENV_PROXY === '1',
): string {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  if (proxies(env)[name === 'HTTPS_PROXY' ? 'https' : 'http'] === undefined) return '';
  if (LOOPBACK.includes(url.hostname)) return '';
  return heeded
    ? ` (by the proxy of ${name}, unless NO_PROXY names the host)`
    : `; ${name} is set and this release of Node.js (${process.version}) does not use it: take Node.js 24.14 or later`;
}

function proxies(env: Environment): { http?: string; https?: string } {
  const value = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  return { http: value('HTTP_PROXY'), https: value('HTTPS_PROXY') };
}
