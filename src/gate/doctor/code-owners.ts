import { literalPattern } from '../../util/pattern.ts';

/** One line of a CODEOWNERS file. */
interface Line {
  pattern: RegExp;
  owners: string[];
}

/**
 * The owners of a path by a CODEOWNERS file: the last line that matches counts, and one without owners takes them away
 * (GitHub, "About code owners"). Lines that GitHub does not understand (`!`, `[ ]`) match nothing.
 */
export function ownersOf(text: string, path: string): string[] {
  let owners: string[] = [];
  for (const line of parse(text)) if (line.pattern.test(path)) owners = line.owners;
  return owners;
}

function parse(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split(/\r?\n/)) {
    const [pattern, ...owners] = raw
      .replace(/(^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    if (pattern === undefined || pattern === '' || /^!|[[\]]/.test(pattern)) continue;
    lines.push({ pattern: patternOf(pattern), owners: owners.filter((owner) => owner.includes('@')) });
  }
  return lines;
}

/** True when a file pattern of a ruleset (`fnmatch` with `**`) or of CODEOWNERS matches a path. */
export function matchesPattern(pattern: string, path: string): boolean {
  return patternOf(pattern).test(path);
}

function patternOf(pattern: string): RegExp {
  const anchored = pattern.startsWith('/') || pattern.slice(0, -1).includes('/');
  const folder = pattern.endsWith('/');
  const body = pattern.replace(/^\/+/, '').replace(/\/+$/, '').slice(0, 500);
  let source = '';
  for (let index = 0; index < body.length; index++) {
    const character = body.charAt(index);
    if (body.startsWith('**/', index)) {
      source += '(?:[^/]+/)*';
      index += 2;
    } else if (body.startsWith('**', index)) {
      source += '.*';
      index += 1;
    } else if (character === '*') source += '[^/]*';
    else if (character === '?') source += '[^/]';
    else source += literalPattern(character);
  }
  // `docs/*` matches files directly below; a plain name also a folder with all that is in it.
  const below = folder ? '/.+' : /(?:^|\/)\*$/.test(body) && body !== '*' ? '' : '(?:/.*)?';
  return new RegExp(`^${anchored ? '' : '(?:.*/)?'}${source}${below}$`, 's');
}
