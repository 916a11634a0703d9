import { literalPattern } from '../util/pattern.ts';

/** Expressions of RFC 6570 that are understood: `{name}` without a slash, `{+name}` and `{name*}` with. */
const EXPRESSION = /\{([+#]?)([A-Za-z0-9_.%]+)(\*?)\}/g;
/** More in one path segment could make a hostile URI slow to match. */
const MAX_OPEN = 2;

/** True when a URI may have come from a template. One with other expressions matches nothing. */
export function matchesTemplate(template: string, uri: string): boolean {
  const literal = template.split(EXPRESSION);
  const rest = template.replace(EXPRESSION, '');
  if (/[{}]/.test(rest)) return false;
  let pattern = '';
  let open = 0;
  // The split gives text, operator, name, star, text, …
  for (let index = 0; index < literal.length; index += 4) {
    pattern += literalPattern(literal[index] ?? '');
    if (index + 1 >= literal.length) break;
    const segment = literal[index + 1] === '' && literal[index + 3] === '';
    if ((literal[index] ?? '').includes('/') && segment) open = 0;
    if (++open > MAX_OPEN) return false;
    pattern += segment ? '[^/]+' : '.+';
  }
  return uri.length <= 2_048 && new RegExp(`^${pattern}$`, 'su').test(uri);
}
