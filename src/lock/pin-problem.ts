import type { ServerPolicy } from '../config/types.ts';
import type { Masker } from './mask.ts';
import { shown } from './shown.ts';
import type { CapabilityKind } from './types.ts';

/** Something that a server sent and that cannot be pinned. */
export interface PinProblem {
  /** Stable, `E_` and capitals. */
  code: string;
  kind: CapabilityKind | 'instructions';
  /** As far as it is known; `""` for instructions. */
  name: string;
  /** JSON pointer into the definition; `""` for the whole. */
  pointer: string;
  /** One sentence: server, capability, pointer, what is wrong. Safe to print. */
  message: string;
}

/** What pinning one server needs to know. */
export interface PinContext {
  server: string;
  policy: ServerPolicy;
  mask: Masker;
  problems: PinProblem[];
}

const WORDS = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'resource template',
  skill: 'skill',
  instructions: 'instructions',
} as const;

/** Notes a problem. `clause` follows the subject: "the tool …: /inputSchema holds a lone surrogate". */
export function addProblem(context: PinContext, problem: Omit<PinProblem, 'message'>, clause: string): void {
  const what = `${WORDS[problem.kind]}${problem.kind === 'instructions' ? '' : ` "${shown(problem.name)}"`}`;
  const at = problem.pointer === '' ? 'it' : `its ${shown(problem.pointer)}`;
  context.problems.push({
    ...problem,
    message: `Server ${shown(context.server)}, ${what}: cannot be pinned, ${at} ${clause}.`,
  });
}
