import { AgentGateError, messageOf } from '../../util/errors.ts';

/** What is wrong with a ledger: nothing is appended to it any more. `text` goes on from its name. */
export function ledgerProblem(path: string, code: string, text: string): AgentGateError {
  return new AgentGateError(
    code,
    `The ledger ${path} ${text}; nothing is carried out on such a ledger, run "agentgate ledger verify".`,
    { file: path },
  );
}

export function unreadableLedger(path: string, cause: unknown): AgentGateError {
  return new AgentGateError(
    'E_LEDGER_UNREADABLE',
    `The ledger ${path} cannot be read: ${messageOf(cause)}.`,
    { file: path },
    { cause },
  );
}

export function unwritableLedger(path: string, cause: unknown): AgentGateError {
  return new AgentGateError(
    'E_LEDGER_UNWRITABLE',
    `The ledger ${path} cannot be written: ${messageOf(cause)}; nothing is carried out without it.`,
    { file: path },
    { cause },
  );
}
