import { isSecretName, redactArguments, redactUrls } from '../../config/redact-launch.ts';
import { deriveOrigin } from '../../config/source.ts';
import type { DeclaredServer, Launch, RemoteLaunch, StdioLaunch } from '../../config/types.ts';
import { pointer } from '../../util/json.ts';
import { withoutSecrets } from '../../util/redact.ts';
import { findSecrets, isPlaceholder } from '../../util/secrets.ts';
import { isReference, urlPasswords } from '../../util/url-passwords.ts';
import type { PlaceHit } from '../rule.ts';

/** A text of a launch: where it stands, and how it may be shown. */
interface LaunchText {
  pointer: string;
  text: string;
  /** Secret options, headers and user-info left out. */
  shown: string;
}

const isStdio = (launch: Launch): launch is StdioLaunch => launch.transport === 'stdio';

/** Credentials first: what is left of one after a URL is cut short would not be recognised any more. */
function safe(text: string): string {
  return redactUrls(withoutSecrets(text));
}

/** What a launch runs or connects to: command and arguments, or the URL. */
function launchTexts(launch: Launch): LaunchText[] {
  if (!isStdio(launch)) return [{ pointer: '/url', text: launch.url, shown: safe(launch.url) }];
  const words = [launch.command, ...launch.args];
  const shown = redactArguments(words.map(withoutSecrets)).map(redactUrls);
  return words.map((text, index) => ({
    pointer: index === 0 ? '/command' : `/args/${index - 1}`,
    text,
    shown: shown[index] ?? '',
  }));
}

/** Values that an entry sets: variables, headers, a client secret. */
function launchValues(launch: Launch): { pointer: string; name: string; value: string }[] {
  if (isStdio(launch))
    return [...launch.env].map(([name, value]) => ({ pointer: pointer('env', name), name, value }));
  const values = [...launch.headers].map(([name, value]) => ({
    pointer: pointer('headers', name),
    name,
    value,
  }));
  const secret = (launch as RemoteLaunch).oauth?.clientSecret;
  if (secret !== undefined)
    values.push({ pointer: '/oauth/clientSecret', name: 'client_secret', value: secret });
  return values;
}

/** The text of a launch that holds `needle`, else its first. */
function place(launch: Launch, needle: string | undefined): LaunchText | undefined {
  const texts = launchTexts(launch);
  return texts.find(({ text }) => needle !== undefined && needle !== '' && text.includes(needle)) ?? texts[0];
}

/** A package whose release is chosen anew at every start. */
export function floatingRelease({ launch, root }: DeclaredServer): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const origin = deriveOrigin(launch, { root });
  for (const one of [origin, origin.via]) {
    if (!one || one.type === 'oci' || one.type === 'local' || one.installed) continue;
    if (one.requested === undefined && !one.mutable) continue;
    const found = place(launch, one.package ?? one.url);
    if (!found) continue;
    const asked = one.requested ? `at "${one.requested}"` : 'without a release';
    hits.push({
      pointer: found.pointer,
      shown: found.shown,
      message: `asks for ${one.package ?? 'the package'} ${asked}, so what runs can change without a change here`,
    });
  }
  return hits;
}

/** An image by tag: a tag can be moved. */
export function unpinnedImage({ launch, root }: DeclaredServer): PlaceHit[] {
  const origin = deriveOrigin(launch, { root });
  if (origin.type !== 'oci' || origin.version?.startsWith('sha256:')) return [];
  if (!origin.mutable && origin.requested === undefined && origin.version === undefined) return [];
  const found = place(launch, origin.package);
  return found
    ? [
        {
          pointer: found.pointer,
          shown: found.shown,
          message: `runs the image ${origin.package ?? ''}, which is not pinned by digest`,
        },
      ]
    : [];
}

const DOWNLOADS = '(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c)';
const SHELL =
  '(?:[^\\s|;&]{0,40}/)?(?:(?:ba|z|da|k|a|fi)?sh|python[23]?|node|perl|ruby|php|iex|invoke-expression|pwsh|powershell|deno|bun)';
/** A download that is run without having been looked at. */
export const PIPES_TO_SHELL = new RegExp(
  [
    `(?<![a-z0-9-])${DOWNLOADS}(?:\\.exe)?\\s[^|\\n]{1,400}\\|\\s{0,4}(?:sudo\\s{1,4}(?:-[a-z]{1,4}\\s{1,4})?|env\\s[^|\\n]{1,60}\\s)?${SHELL}(?![a-z0-9])`,
    `(?<![a-z0-9])(?:${SHELL}\\s{1,4}-l?i?e?c\\s{1,4}["']?|eval\\s{1,4}["']?|source\\s{1,4}|\\.\\s{1,4})(?:\\$\\(|<\\(|\`)\\s{0,4}${DOWNLOADS}\\s`,
    `(?<![a-z0-9])${SHELL}\\s{1,4}<\\(\\s{0,4}${DOWNLOADS}\\s`,
    `(?<![a-z0-9])(?:iex|invoke-expression)\\s{0,4}[("'(&]{1,3}\\s{0,4}(?:\\(?\\s{0,2}(?:${DOWNLOADS}|new-object))`,
    `(?<![a-z0-9-])${DOWNLOADS}\\s[^|\\n]{1,300}(?:&&|;)\\s{0,4}(?:sudo\\s{1,4})?(?:chmod\\s{1,4}\\+?[0-9a-z+]{1,6}\\s[^;&\\n]{1,120}(?:&&|;)\\s{0,4})?(?:sudo\\s{1,4})?(?:(?:ba|z|da|k|a)?sh|\\./|source|python3?)\\s{0,4}[^\\s;&|]{1,120}`,
  ].join('|'),
  'gi',
);

/** A launch that downloads a script and runs it. */
export function pipesToShell({ launch }: DeclaredServer): PlaceHit[] {
  if (!isStdio(launch)) return [];
  const texts = launchTexts(launch);
  for (const { pointer: at, text, shown } of texts) {
    if (text.search(PIPES_TO_SHELL) >= 0)
      return [{ pointer: at, shown, message: 'downloads a script and runs it unseen' }];
  }
  // Parted over arguments: "bash", "-c", "$(curl …)".
  const whole = texts.map(({ text }) => text).join(' ');
  if (whole.search(PIPES_TO_SHELL) < 0) return [];
  return [
    {
      pointer: '/command',
      shown: texts.map(({ shown }) => shown).join(' '),
      message: 'downloads a script and runs it unseen',
    },
  ];
}

/** `http:` to anything but this machine: whoever is on the way can read and change it. */
export function plainHttp({ launch }: DeclaredServer): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, text, shown } of launchTexts(launch)) {
    for (const match of text.matchAll(/(?<![a-z0-9+.-])(?:http|ws):\/\/([^\s/?#"'`]{1,300})/gi)) {
      const host = (match[1] ?? '')
        .replace(/^[^@]*@/, '')
        .replace(/:[0-9]{1,5}$/, '')
        .toLowerCase();
      if (isLoopback(host) || host.startsWith('$') || host.startsWith('{') || host.startsWith('%')) continue;
      hits.push({ pointer: at, shown, message: `connects to ${host.slice(0, 80)} without encryption` });
      break;
    }
  }
  return hits;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:[a-z0-9-]{1,63}\.){0,4}localhost|127(?:\.[0-9]{1,3}){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)\.?$/.test(
    host,
  );
}

/** Credentials of a known format, written out in the config. */
export function secretsInConfig({ launch }: DeclaredServer): PlaceHit[] {
  const hits: PlaceHit[] = [];
  for (const { pointer: at, text, shown } of launchTexts(launch)) {
    const [found] = [...findSecrets(text), ...(at === '/url' ? findSecrets(decoded(text)) : [])];
    if (found)
      hits.push({
        pointer: at,
        shown,
        message: `holds a credential (${found.title})`,
      });
  }
  for (const { pointer: at, name, value } of launchValues(launch)) {
    const [found] = findSecrets(`${name}=${value}`);
    if (found)
      hits.push({ pointer: at, shown: `${name}: ***`, message: `holds a credential (${found.title})` });
  }
  return hits;
}

/** A URL with its percent-encoding undone, as far as it can be: `:` and `/` of a key are often encoded. */
function decoded(url: string): string {
  if (!url.includes('%')) return '';
  return url.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

/** A literal under a name that means a secret. */
export function namedSecrets({ launch }: DeclaredServer): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const add = (at: string, name: string, value: string): void => {
    const bare = value.replace(/^(?:bearer|basic|token)\s+/i, '');
    if (
      bare.length < 8 ||
      isReference(bare) ||
      isPlaceholder(bare) ||
      findSecrets(`${name}=${value}`).length > 0
    )
      return;
    hits.push({
      pointer: at,
      shown: `${name}: ***`,
      message: `gives "${name.slice(0, 60)}" its value here instead of by a variable`,
    });
  };
  for (const { pointer: at, name, value } of launchValues(launch))
    if (isSecretName(name)) add(at, name, value);
  for (const { pointer: at, text } of launchTexts(launch))
    for (const [name, value] of queryParameters(text))
      if (isSecretName(name) || /^key$/i.test(name)) add(at, name, value);
  if (!isStdio(launch)) return hits;
  for (const [index, arg] of launch.args.entries()) {
    const assigned = /^(-{0,2}[A-Za-z_][\w.-]{0,80})=(.{8,4000})$/s.exec(arg);
    if (assigned?.[1] && assigned[2] && isSecretName(assigned[1]))
      add(`/args/${index}`, assigned[1], assigned[2]);
    const previous = launch.args[index - 1] ?? '';
    if (
      /^--?[A-Za-z]/.test(previous) &&
      !previous.includes('=') &&
      !arg.startsWith('-') &&
      isSecretName(previous)
    )
      add(`/args/${index}`, previous, arg);
  }
  return hits;
}

/** The query parameters of the URLs in a text, decoded as far as they can be. */
function* queryParameters(text: string): Generator<[name: string, value: string]> {
  for (const [, query = ''] of text.matchAll(/:\/\/[^\s?#"'`]{1,2000}\?([^\s#"'`]{1,8000})/g))
    for (const parameter of query.split('&')) {
      const [, name = '', value = ''] = /^([^=]{1,80})=(.*)$/s.exec(parameter) ?? [];
      yield [decoded(name) || name, decoded(value) || value];
    }
}

/** A password in a URL of the config. */
export function urlSecretsInConfig({ launch }: DeclaredServer): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const message = 'holds a password inside a URL';
  for (const { pointer: at, text, shown } of launchTexts(launch))
    if (urlPasswords(text).length > 0) hits.push({ pointer: at, shown, message });
  for (const { pointer: at, name, value } of launchValues(launch))
    if (urlPasswords(value).length > 0) hits.push({ pointer: at, shown: `${name}: ${safe(value)}`, message });
  return hits;
}
