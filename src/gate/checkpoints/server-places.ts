import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ResolvedServer, ResolvedStdio, Source } from '../../config/types.ts';
import { isOutside } from '../../util/paths.ts';

/** Where the paths of a server's calls may lead. */
export interface ServerPlaces {
  /** The server's folder; nothing outside of it is kept. */
  root: string;
  /** Folders that a relative path may be relative to, links resolved. Empty: nobody knows. */
  bases: string[];
  /** Why its paths are none of this machine; one clause. */
  elsewhere?: string;
}

/**
 * Which folders a server may take a relative path from: its working directory, the project's, and every folder that its
 * arguments and declared environment name (server-filesystem takes the first of its allowed folders that fits). A server in a
 * container or on another machine has other paths.
 */
export function serverPlaces(
  resolved: Pick<ResolvedServer, 'declared' | 'launch'>,
  source: Source,
): ServerPlaces {
  const { root } = resolved.declared;
  const { launch } = resolved;
  if (launch.transport !== 'stdio')
    return isLoopback(launch.url)
      ? { root, bases: [] }
      : { root, bases: [], elsewhere: 'the server runs on another machine' };
  if (source.kind === 'oci') return { root, bases: [], elsewhere: 'the server runs in a container' };
  if (source.type === 'remote')
    return { root, bases: [], elsewhere: 'the server that it leads to runs elsewhere' };
  return { root, bases: basesOf(root, launch) };
}

function basesOf(root: string, launch: ResolvedStdio): string[] {
  const bases = new Set<string>();
  const add = (path: string): void => {
    const folder = folderAt(path);
    if (folder === undefined) return;
    const { isFolder, real } = folder;
    if (isFolder) bases.add(real);
    // What lies beside the server's own program, where that is the project's.
    else if (!isOutside(root, dirname(real))) bases.add(dirname(real));
  };
  add(root);
  add(launch.cwd);
  for (const text of [launch.command, ...launch.args, ...launch.env.values()])
    for (const word of wordsOf(text))
      for (const from of new Set([launch.cwd, root])) add(resolve(from, word));
  return [...bases].sort();
}

/** The whole text, and what may stand in it as a path: `--root=notes`, `a:b`, `cd notes && …`. */
function wordsOf(text: string): string[] {
  const words = [text, text.slice(text.indexOf('=') + 1), ...text.split(/[\s=,:;'"]+/)];
  return [...new Set(words)].filter((word) => word !== '' && word.length < 4_096 && !word.includes('\0'));
}

function folderAt(path: string): { isFolder: boolean; real: string } | undefined {
  try {
    const real = realpathSync(path);
    return { isFolder: statSync(real).isDirectory(), real };
  } catch {
    return undefined;
  }
}

function isLoopback(url: string): boolean {
  try {
    return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(new URL(url).hostname);
  } catch {
    return false;
  }
}
