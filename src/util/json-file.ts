import { readFileSync, statSync } from 'node:fs';
import { isObject, type JsonObject } from './json.ts';

/**
 * The object that a JSON file holds, such as a package.json; undefined when there is none, or more than `most` bytes. A
 * link may lead to a device that never ends: only regular files are read.
 */
export function readJsonFile(file: string, most = 1024 * 1024): JsonObject | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > most) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
