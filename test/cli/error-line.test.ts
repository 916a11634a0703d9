import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorLine } from '../../src/cli/run-program.ts';

it('what the system refuses is no fault of the program, and has a next step', () => {
  let refused: unknown;
  try {
    readFileSync('/nonexistent-folder/file');
  } catch (error) {
    refused = error;
  }
  expect(errorLine(refused)).toMatch(/^agentgate: the system refused: ENOENT.*; check .* \(E_SYSTEM\)$/);
  expect(errorLine(new Error('odd'))).toMatch(
    /odd; this is a fault of agentgate, please report it \(E_INTERNAL\)$/,
  );
});
