import { isPlaceholder } from './secrets.ts';

/** A password in a URL, as offsets in UTF-16 code units, end exclusive. */
export interface UrlPassword {
  /** Of the URL. */
  start: number;
  end: number;
  /** Of the password alone. */
  password: { start: number; end: number };
}

const USER_INFO =
  /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/([^\s/?#"'<>@:]{0,128}):([^\s/?#"'<>@]{3,256})@[^\s"'<>]{0,200}/g;
const COMMON_PASSWORD =
  /^(?:p(?:ass)?(?:word|wd)?|pwd|secret|user(?:name)?|changeme|admin|root|postgres|mysql|test|guest|x+|\*+|token|oauth2?|api[-_]?key)[0-9]{0,4}$/i;

/** The passwords in the URLs of a text. Placeholders, references and the usual ones of examples are none. */
export function urlPasswords(text: string): UrlPassword[] {
  if (!text.includes('://')) return [];
  const found: UrlPassword[] = [];
  for (const match of text.matchAll(USER_INFO)) {
    const [whole, user = '', password = ''] = match;
    if (COMMON_PASSWORD.test(password) || isReference(password) || isPlaceholder(password)) continue;
    const start = match.index + whole.indexOf('://') + 3 + user.length + 1;
    found.push({
      start: match.index,
      end: match.index + whole.length,
      password: { start, end: start + password.length },
    });
  }
  return found;
}

/** A value that refers to a variable, or that is to be filled in. */
export function isReference(value: string): boolean {
  return /\$\{|\$[A-Za-z_]|\{env:|\{\{|%[A-Za-z_]\w*%|^\{[\w.-]+\}$|^<.*>$/.test(value);
}
