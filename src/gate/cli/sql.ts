import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Io } from '../../cli/io.ts';
import type { Finish } from '../../cli/run-program.ts';
import { sqlCommand as inspectFile } from '../sql/command.ts';
import { closeSqlInspector } from '../sql/inspect.ts';

interface SqlOptions {
  dialect: string;
  format: 'text' | 'json';
}

/** `agentgate sql FILE --dialect D`: exit 0 for what passes or is bounded (tiers 0 and 1), 1 for what is held. */
export function sqlCommand(io: Io, finish: Finish): Command {
  return new Command('sql')
    .description('Tell what the gate would do with the one SQL statement in a file.')
    .argument('<file>', 'a UTF-8 file with one statement')
    .requiredOption('--dialect <dialect>', 'postgresql, mysql, sqlite, mssql, …')
    .addOption(new Option('--format <format>', 'What to print.').choices(['text', 'json']).default('text'))
    .action(async (file: string, options: SqlOptions) => {
      const { verdict, output } = await inspectFile(resolve(io.cwd, file), options);
      io.stdout.write(output);
      finish(verdict.tier === 2 ? 1 : 0);
      await closeSqlInspector();
    });
}
