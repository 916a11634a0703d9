/**
 * True when a link at `path` (relative to a folder, `/`-separated) may lead out of that folder. `..` counts only at the
 * target's start: behind another name, which may be a link itself, nobody can tell where it leads, so that it is taken
 * to leave.
 */
export function leavesFolder(path: string, target: string): boolean {
  if (target === '' || target.includes('\0')) return true;
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(target)) return true;
  let up = 0;
  let named = false;
  for (const part of target.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') named = true;
    else if (named) return true;
    else up++;
  }
  return up > path.split('/').length - 1;
}
