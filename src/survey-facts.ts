import type { Survey } from './survey.ts';
import { AgentGateError } from './util/errors.ts';

/** True when every declared server that is not skipped was listed, and no choice of servers left one out. */
export function isComplete(
  { servers, unreadable, errors }: Survey,
  chosen: readonly string[] | undefined,
): boolean {
  const failed = servers.some(({ result }) => result.state === 'failed');
  return !failed && unreadable.length + errors.length === 0 && (chosen ?? []).length === 0;
}

/** Keys of everything that is declared, whether or not it could be read and started. */
export function declaredKeys({ servers, unreadable, skills }: Survey): string[] {
  return [
    ...servers.map(({ declared }) => declared.key),
    ...unreadable.map(({ key }) => key),
    ...(skills?.folders ?? []).map(({ key }) => key),
  ];
}

/** Throws the first thing that concerns no single server, if any: what is declared is then not known. */
export function throwProblem({ errors: [problem] }: Survey): void {
  if (problem === undefined) return;
  const { code, message, file, line, column } = problem;
  throw new AgentGateError(code, message, { file, line, column });
}
