import type { Command, Option } from 'commander';
import { Option as CommanderOption } from 'commander';
import type { Isolation } from '../capture/types.ts';
import type { FailOn } from '../config/types.ts';
import { MAX_CONCURRENCY, MAX_TIMEOUT_SECONDS, SETTINGS, type Setting } from '../settings.ts';
import { AgentGateError } from '../util/errors.ts';

/** The options that every command which starts servers has. */
export const SURVEY_FLAGS = [
  '--config',
  '--lockfile',
  '--cwd',
  '--server',
  '--all-clients',
  '--skills',
  '--timeout',
  '--concurrency',
  '--isolation',
  '--starts',
] as const;

/** Below the help of what gives a verdict. */
export const EXIT_CODES = `
Exit codes: 0 clean, or below fail-on; 1 drift or findings; 2 something could
not be checked, or the call was wrong.`;

export const OUTPUT_FLAGS = ['--format', '--output', '--no-color', '--quiet', '--verbose'] as const;

/** The common options as commander gives them. */
export interface CommonOptions {
  config?: string[];
  lockfile?: string;
  cwd?: string;
  server?: string[];
  allClients?: boolean;
  skills?: string | true;
  failOn?: FailOn;
  timeout?: number;
  concurrency?: number;
  isolation?: Isolation;
  starts?: 1 | 2;
  format?: 'text' | 'json' | 'sarif' | 'markdown';
  output?: string;
  color?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  yes?: boolean;
}

function numberIn(name: string, low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new AgentGateError(
        'E_USAGE',
        `${name} takes a whole number from ${low} to ${high}, not ${JSON.stringify(text)}`,
      );
    }
    return value;
  };
}

const NUMBERS: Record<string, (text: string) => number> = {
  timeout: numberIn('--timeout', 1, MAX_TIMEOUT_SECONDS),
  concurrency: numberIn('--concurrency', 1, MAX_CONCURRENCY),
  starts: numberIn('--starts', 1, 2),
};

/** The default in words, where it is not what anyone expects; the lock's place is told by its text. */
function defaultWords({ default: value, defaultText, flag }: Setting): string {
  const words = defaultText ?? value;
  if (!words || ['false', 'all', 'none', '.'].includes(words) || flag?.startsWith('--lockfile')) return '';
  return ` Default: ${words}.`;
}

function optionOf(flag: string): Option {
  const setting = SETTINGS.find((each) => each.flag?.split(' ')[0] === flag);
  if (!setting?.flag) throw new AgentGateError('E_INTERNAL', `there is no setting ${flag}`);
  const option = new CommanderOption(
    setting.short ? `${setting.short}, ${setting.flag}` : setting.flag,
    setting.text + defaultWords(setting),
  );
  const takesValue = /[<[]/.test(setting.flag);
  if (setting.values && takesValue) option.choices([...setting.values]);
  const number = NUMBERS[option.attributeName()];
  if (number) option.argParser(number);
  return option;
}

/** Adds the named common options to a command, in the given order. */
export function addOptions(command: Command, flags: readonly string[]): Command {
  for (const flag of flags) command.addOption(optionOf(flag));
  return command;
}
