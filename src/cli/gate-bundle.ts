import { Command } from 'commander';
import type { Io } from './io.ts';
import type { AddCommand } from './run-program.ts';

/** The runtime gate's commands: their bundle lies beside this one and loads only when one of them is called. */
const GATE_COMMANDS: Record<string, string> = {
  proxy: 'Stand between a client and a server, and let through only what the lock pins.',
  gate: 'List, show, approve, reject and execute the calls that wait for an operator.',
  ledger: 'Verify the ledger, make a checkpoint, print the trail of one proposal.',
  sql: 'Tell what the gate would do with an SQL statement.',
  doctor: 'Check that GitHub demands a review of every change to the lock.',
};

export function isGateCommand(name: string | undefined): boolean {
  return name !== undefined && Object.hasOwn(GATE_COMMANDS, name);
}

/** For the list of commands in the help. */
export const gateStubs: AddCommand[] = Object.entries(GATE_COMMANDS).map(
  ([name, text]) =>
    () =>
      new Command(name).description(text).helpOption(false).allowUnknownOption(),
);

/** Runs a command of the gate; gives the exit code. */
export async function runGate(args: readonly string[], io: Io): Promise<number> {
  // A name that the bundler cannot see: the gate must not get into this bundle.
  const beside = import.meta.url.endsWith('.ts') ? '../gate/cli/main.ts' : '../gate/index.js';
  const { gateMain } = (await import(
    /* webpackIgnore: true */ new URL(beside, import.meta.url).href
  )) as typeof import('../gate/cli/main.ts');
  return gateMain(args, io);
}
