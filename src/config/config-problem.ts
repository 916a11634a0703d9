import { AgentGateError, messageOf } from '../util/errors.ts';
import type { ConfigProblem } from './types.ts';

/** An exception as data. `server` is the entry's name, when it is of one entry. */
export function problemOf(error: unknown, file: string, server?: string): ConfigProblem {
  const problem: ConfigProblem =
    error instanceof AgentGateError
      ? { code: error.code, message: error.message, file: error.place.file ?? file }
      : { code: 'E_CONFIG_INVALID', message: `${file} cannot be read: ${messageOf(error)}.`, file };
  if (error instanceof AgentGateError && error.place.line !== undefined) problem.line = error.place.line;
  if (error instanceof AgentGateError && error.place.column !== undefined)
    problem.column = error.place.column;
  if (server !== undefined) problem.server = server;
  return problem;
}
