import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { AgentGateError, messageOf } from '../../util/errors.ts';
import type { Io } from '../io.ts';
import type { Finish } from '../main.ts';
import { addOptions, type CommonOptions } from '../options.ts';
import { emit, OUTPUT_FLAGS, SURVEY_FLAGS, workingDirectory } from '../shared.ts';
import { STARTER_POLICY, STARTER_WORKFLOW } from '../starter.ts';
import { runLock } from './lock.ts';

export function initCommand(io: Io, finish: Finish): Command {
  const command = new Command('init')
    .description('Write a starter workflow, a policy and the first lock. Files that exist are left alone.')
    .action(async (options: CommonOptions) => {
      const cwd = workingDirectory(io, options);
      for (const [path, text] of [
        ['.github/workflows/agentgate.yml', STARTER_WORKFLOW],
        ['agentgate.yml', STARTER_POLICY],
      ] as const) {
        const written = await writeNew(join(cwd, path), path, text);
        await emit(io, {}, written ? `${path} written.` : `${path} is there already, left as it is.`);
      }
      finish(await runLock(io, options));
    });
  return addOptions(command, [...SURVEY_FLAGS, ...OUTPUT_FLAGS]);
}

/** Creates the file; false when it exists. */
async function writeNew(absolute: string, shown: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new AgentGateError('E_OUTPUT', `cannot write ${shown}: ${messageOf(error)}`);
  }
}
