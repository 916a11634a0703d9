import { isObject, type Json, own } from '../util/json.ts';

/** A launch record in one line, as a person would type it: `npx -y pkg@1.2.3` or the URL. Foreign. */
export function launchLine(launch: Json | undefined): string | undefined {
  if (!isObject(launch)) return undefined;
  const url = own(launch, 'url');
  if (typeof url === 'string') return url;
  const command = own(launch, 'command');
  if (typeof command !== 'string') return undefined;
  const args = own(launch, 'args');
  const words = [command, ...(Array.isArray(args) ? args.map(String) : [])];
  return words.map((word) => (/^[\w@%+=:,./~^-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** The names of the variables that a launch record passes on. */
export function launchVariables(launch: Json | undefined): string[] {
  const env = isObject(launch) ? own(launch, 'env') : undefined;
  return Array.isArray(env) ? env.filter((one) => typeof one === 'string') : [];
}
