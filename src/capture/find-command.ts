import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The file that a command names: resolved against `cwd` when it holds a separator, else searched on `path`
 * (`PATHEXT` counts on Windows). `undefined` when there is none that may be run.
 */
export function findCommand(
  command: string,
  path: string,
  cwd: string,
  pathExtensions = process.env.PATHEXT,
): string | undefined {
  const windows = process.platform === 'win32';
  const extensions = windows ? ['', ...(pathExtensions ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  const hasSeparator = command.includes('/') || (windows && command.includes('\\'));
  // A relative entry of PATH, the empty one included, means the working directory.
  const folders = hasSeparator ? [cwd] : path.split(delimiter).map((folder) => resolve(cwd, folder));
  for (const folder of folders) {
    const base = isAbsolute(command) ? command : join(folder, command);
    for (const extension of extensions) {
      if (isExecutable(base + extension)) return base + extension;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
