import { hash } from 'node:crypto';
import { secretSpans } from '../util/redact.ts';
import { isSecretName } from './redact-launch.ts';
import type { ResolvedRemote, ResolvedStdio } from './types.ts';

/** A value by its name only is taken for a secret when it looks like one: `placeholder` is a word of many texts. */
const RANDOM = /^(?=.*[0-9])(?=.*[A-Za-z])\S{12,4096}$/;

/**
 * What a config holds literally and looks like a secret: a credential of a known format, or the random value of a
 * variable, header or option whose name says that it is one, with that name. A server can repeat it as it can a
 * variable's value.
 */
export function literalSecrets(launch: ResolvedStdio | ResolvedRemote): [value: string, name: string][] {
  const found: [string, string][] = [];
  const take = (name: string, value: string): void => {
    const shown = name.replace(/^-+/, '');
    for (const { start, end } of secretSpans(value)) found.push([value.slice(start, end), shown]);
    const bare = value.replace(/^(?:bearer|basic|token)\s+/i, '');
    if (isSecretName(name) && RANDOM.test(bare)) found.push([bare, shown]);
  };
  if (launch.transport === 'stdio') {
    for (const [name, value] of launch.env) take(name, value);
    launch.args.forEach((arg, index) => {
      const [, name, value] = /^(-{0,2}[A-Za-z_][\w.-]*)=(.+)$/s.exec(arg) ?? [];
      if (name !== undefined && value !== undefined) take(name, value);
      else take(launch.args[index - 1] ?? '', arg);
    });
  } else {
    for (const [name, value] of launch.headers) take(name, value);
    take('url', launch.url);
  }
  return found;
}

/**
 * The name of a value that lies in the project: with it, another value is another one in the lock too. It comes with a
 * pull request as code does, and under the bare name a server could say whatever its config holds, unseen. The value of
 * a variable differs between machines, and has its name only.
 */
export function namedLiteral(name: string, value: string): string {
  return `${name.slice(0, 40)}.${hash('sha256', value, 'hex').slice(0, 16)}`;
}
