import { markedCredentials } from '../../util/credential-marks.ts';
import { findSecrets } from '../../util/secrets.ts';
import { urlPasswords } from '../../util/url-passwords.ts';
import { namedSecrets, secretsInConfig, urlSecretsInConfig } from '../matchers/configuration.ts';
import type { ConfigRule, TextContext, TextHit, TextRule } from '../rule.ts';

const ROTATE =
  'Revoke it: it is in the history of whatever held it. Then refer to a variable of the environment.';

const KNOWN = {
  id: 'AG-SC-001',
  title: 'Credential of a known format',
  severity: 'high',
  what: 'A token, key or private key in a format that its vendor documents. Placeholders and examples are not meant.',
  why: 'Who can read the file can use it.',
  example: '"env": { "GITHUB_TOKEN": "ghp_…" }',
  fix: ROTATE,
} as const;

const IN_URL = {
  id: 'AG-SC-002',
  title: 'Password inside a URL',
  severity: 'high',
  what: 'User-info with a password in a URL.',
  why: 'URLs go to logs, histories and error messages.',
  example: 'postgres://app:(password)@db.example/main',
  fix: ROTATE,
} as const;

/** AG-SC: credentials in texts. */
export const SECRET_TEXTS: readonly TextRule[] = [
  { ...KNOWN, on: 'text', names: true, match: secretsInText },
  { ...IN_URL, on: 'text', names: true, match: passwordsInText },
];

/** AG-SC: credentials in the config. */
export const SECRET_CONFIGS: readonly ConfigRule[] = [
  { ...KNOWN, on: 'config', match: secretsInConfig },
  { ...IN_URL, on: 'config', match: urlSecretsInConfig },
  {
    id: 'AG-SC-003',
    on: 'config',
    title: 'Literal value for a secret',
    severity: 'low',
    what: 'A variable, header, option or query parameter that is named for a secret has its value written out.',
    why: 'The format is not known, but the name says what it is.',
    example: '"env": { "DB_PASSWORD": "(twelve letters)" }',
    fix: 'Refer to a variable of the environment; if it is only a placeholder, set it in agentgate.yml under `env`.',
    match: namedSecrets,
  },
];

/** A surface is pinned with marks in place of its credentials; a lock of an older release has them as they were. */
function secretsInText({ raw }: TextContext): TextHit[] {
  let end = -1;
  const marked = markedCredentials(raw).filter(({ format }) => format !== 'url-password');
  return [...findSecrets(raw), ...marked]
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((found) => {
      // Several formats can fit one key.
      if (found.start < end) return false;
      end = found.end;
      return true;
    })
    .slice(0, 3)
    .map(({ start, end, title }) => ({ start, end, message: `holds a credential (${title})` }));
}

const BEFORE_PASSWORD = /[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s/?#"'<>@:]{0,128}:$/;

function passwordsInText({ raw }: TextContext): TextHit[] {
  const marked = markedCredentials(raw).flatMap(({ start, end }) => {
    const before = BEFORE_PASSWORD.exec(raw.slice(Math.max(0, start - 160), start));
    return before && raw.charAt(end) === '@' ? [{ start: start - before[0].length, end }] : [];
  });
  return [...urlPasswords(raw), ...marked]
    .slice(0, 1)
    .map(({ start, end }) => ({ start, end, message: 'holds a password inside a URL' }));
}
