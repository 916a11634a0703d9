import type { ServerPolicy, VolatileRule } from '../config/types.ts';
import type { Masker } from './mask.ts';
import { shown } from './shown.ts';
import type { CapabilityKind } from './types.ts';
import type { VolatileBudget } from './volatile.ts';

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
  budget: VolatileBudget;
  problems: PinProblem[];
  /** Masks of the policy that matched something. */
  used: Set<VolatileRule>;
}

const WORDS = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'resource template',
  skill: 'skill',
  instructions: 'instructions',
} as const;

/** One is enough to refuse a server; a hostile surface could have one per tool. */
const MAX_PROBLEMS = 100;

/** Notes a problem, up to 100 of a server. `clause` follows the subject: "the tool …: /inputSchema holds a lone surrogate". */
export function addProblem(context: PinContext, problem: Omit<PinProblem, 'message'>, clause: string): void {
  if (context.problems.length >= MAX_PROBLEMS) return;
  const what = `${WORDS[problem.kind]}${problem.kind === 'instructions' ? '' : ` "${shown(problem.name)}"`}`;
  const at = problem.pointer === '' ? 'it' : `its ${shown(problem.pointer)}`;
  context.problems.push({
    ...problem,
    message: `Server ${shown(context.server)}, ${what}: cannot be pinned, ${at} ${clause}.`,
  });
}
