/** What stands for a value that was left out. */
const REDACTED = '<redacted>';

const SECRET_WORDS = new Set(
  'token secret password passwd pwd passphrase apikey authorization credential credentials bearer pat jwt dsn auth'.split(
    ' ',
  ),
);
/** `key` alone is often no secret (`--sort-key`); after these it is. */
const KEY_KINDS = new Set(
  'api access private secret auth service account license encryption signing'.split(' '),
);

/** True when a name ends in a word for a secret: `--github-token`, `apiKey`, `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  if (words[0] === 'no') return false;
  return SECRET_WORDS.has(last) || (last === 'key' && KEY_KINDS.has(words.at(-2) ?? ''));
}

/** A value made of references only is no secret, and which variable it is must show. */
const REFERENCES_ONLY =
  /^(?:(?:Bearer|Basic|Token|token|bearer)\s+)?(?:\$\{[^}]*\}|\$[A-Za-z_]\w*|\{env:[^}]+\}|\{[A-Za-z_][\w.-]*\}|%\w+%)+$/;

function redactValue(value: string): string {
  return value === '' || REFERENCES_ONLY.test(value) ? value : REDACTED;
}

const HEADER_OPTIONS = new Set(['--header', '-H', '--headers', '--http-header']);

/**
 * The words of a command with the values of secret options (`--token x`, `--api-key=x`), of secret variables
 * (`TOKEN=x`, `-e TOKEN=x`) and of headers (`--header "Name: x"`) left out; references stay.
 */
export function redactArguments(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const previous = words[index - 1] ?? '';
    if (index > 0 && HEADER_OPTIONS.has(previous)) return redactHeader(word);
    if (index > 1 && /^--?[A-Za-z]/.test(previous) && !previous.includes('=') && isSecretName(previous)) {
      return /^--?[A-Za-z]/.test(word) ? word : redactValue(word);
    }
    // A script or whole line is read word by word: what it runs must show.
    const isLine = index === 0 || /^([-/]\w*c|-Command|-S|--split-string|--command|--call)$/i.test(previous);
    const assigned = isLine ? null : /^(-{0,2}[A-Za-z_][\w.-]*)=(.*)$/s.exec(word);
    if (assigned) {
      const [, name = '', value = ''] = assigned;
      if (HEADER_OPTIONS.has(name)) return `${name}=${redactHeader(value)}`;
      if (isSecretName(name)) return `${name}=${redactValue(value)}`;
    }
    return redactInline(word);
  });
}

/** `Name: value`; the name stays. */
function redactHeader(text: string): string {
  const match = /^([\w-]+\s*[:=]\s*)(.*)$/s.exec(text);
  return match ? `${match[1]}${redactValue(match[2] ?? '')}` : redactValue(text);
}

/** Within a whole line (`sh -c`, a command line in one text): the same, word by word. */
function redactInline(text: string): string {
  return text
    .replace(
      /\b((?:Proxy-)?Authorization\s*:\s*)((?:Bearer|Basic|Token)\s+)?([^\s"']+)/gi,
      (all, name, scheme, value) => (REFERENCES_ONLY.test(value) ? all : `${name}${scheme ?? ''}${REDACTED}`),
    )
    .replace(
      /(^|[\s"'])(-{0,2}[A-Za-z_][\w.-]*)(=|\s+)("[^"]*"|'[^']*'|[^\s"'-][^\s"']*)/g,
      (all, before, name, equals, value) => {
        const isOption = name.startsWith('-');
        if (!isSecretName(name) || (!isOption && equals !== '=')) return all;
        const bare = value.replace(/^["']|["']$/g, '');
        return REFERENCES_ONLY.test(bare) ? all : `${before}${name}${equals}${REDACTED}`;
      },
    );
}

/**
 * Every URL in a text without user-info, query string and fragment; of a git address the fragment stays, as it is the
 * ref. A fragment after a password (`user:a#b@host`) is user-info too.
 */
export function redactUrls(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s"'`]*)/gi, (_, scheme: string, rest: string) => {
    const authorityEnd = rest.search(/[/]/);
    const authority = authorityEnd < 0 ? rest : rest.slice(0, authorityEnd);
    const at = authority.lastIndexOf('@');
    const user = authority.slice(0, Math.max(0, at));
    const kept = user === 'git' ? 0 : at + 1;
    const bare = rest.slice(kept);
    const git = /^(git\+|git:|ssh:)/i.test(scheme) || /\.git(?:#|$)/.test(bare);
    const withoutQuery = bare.replace(/\?[^#]*/, '');
    return scheme + (git ? withoutQuery : withoutQuery.replace(/#.*$/, ''));
  });
}
