import type { CheckOptions, CheckResult } from '../check.ts';
import { readEvent } from './event.ts';
import { readInputs } from './inputs.ts';

/** What a run needs from outside; tests give their own. */
export interface RunDeps {
  env: NodeJS.ProcessEnv;
  check(options: CheckOptions): Promise<CheckResult>;
}

/** Runs the action and gives the exit code: 0, 1 or 2 (`DESIGN.md` §8). Never throws. */
export async function run(deps: RunDeps): Promise<number> {
  const inputs = readInputs(deps.env);
  readEvent(deps.env);
  return inputs.mode === 'check' ? 0 : 2;
}
