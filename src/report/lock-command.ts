import type { Report } from './model.ts';

/** Words that stand in a command as they are: no shell gives them a meaning. */
export const SHELL_WORD = /^[A-Za-z0-9][\w.:/@-]{0,99}$/;
/** What double quotes keep as it is in every shell: paths and globs. */
const QUOTABLE = /^[\w.*?@][\w.*?@:/+,(){}[\] -]{0,199}$/;
/** Configs that the command names; of more the words beside it tell. */
const NAMED_CONFIGS = 4;

export interface LockCommand {
  text: string;
  /** True when the check was given configs that the command cannot name. */
  lacksConfigs: boolean;
}

/**
 * The command that pins what a check found. It looks at what the check looked at: without the same configs, keys and
 * skills it would find other servers, and drop the rest. Keys stand first, since `--config` takes all words after it.
 *
 * @param keys - servers, each a `SHELL_WORD`; none for all
 */
export function lockCommand(report: Report, keys: readonly string[] = []): LockCommand {
  const { path } = report.lockfile;
  const { config = [], allClients, skills } = report.scope ?? {};
  const configs = config.flatMap((each) => quoted(each) ?? []);
  const lacksConfigs = configs.length < config.length || configs.length > NAMED_CONFIGS;
  const folder = typeof skills === 'string' ? quoted(skills) : undefined;
  const words = [
    ...keys,
    ...(path === 'agentgate.lock' || !SHELL_WORD.test(path) ? [] : ['--lockfile', path]),
    ...(lacksConfigs || configs.length === 0 ? [] : ['--config', ...configs]),
    ...(allClients ? ['--all-clients'] : []),
    // A skills folder that is named as a server is looked at without it.
    ...(skills === undefined || keys.length > 0
      ? []
      : ['--skills', ...(folder === undefined ? [] : [folder])]),
  ];
  return { text: ['npx @agentgate/agentgate lock', ...words].join(' '), lacksConfigs };
}

function quoted(word: string): string | undefined {
  if (SHELL_WORD.test(word)) return word;
  return QUOTABLE.test(word) ? `"${word}"` : undefined;
}
