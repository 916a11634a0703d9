import { type JsonObject, own } from '../util/json.ts';
import type { GatePolicy, Tier, ToolRule } from './policy.ts';
import { toolRule } from './policy.ts';

/** What a call may do, and why it is thought so. */
export interface Risk {
  tier: Tier;
  codes: string[];
  /** One sentence. */
  reason: string;
  rule: ToolRule;
}

/**
 * The tier of one call, from the policy alone: by number, by inspecting the SQL in an argument, or by the git adapter.
 * What cannot be inspected is tier 2. Never throws for what the arguments hold.
 */
export async function assessCall(
  gate: GatePolicy,
  server: string,
  tool: string,
  args: JsonObject,
): Promise<Risk> {
  const { rule, listed } = toolRule(gate, server, tool);
  if (rule.kind === 'tier') {
    const reason = listed
      ? `The policy gives this tool tier ${rule.tier}.`
      : `The policy does not list this tool, and its default is tier ${rule.tier}.`;
    return { tier: rule.tier, codes: [], reason, rule };
  }
  if (rule.kind === 'git') {
    const { inspectGit } = await import('./git/inspect.ts');
    return { ...inspectGit(rule.operation, args), rule };
  }
  const sql = own(args, rule.argument);
  if (typeof sql !== 'string')
    return {
      tier: 2,
      codes: ['E_SQL_UNPARSED'],
      reason: `The argument "${rule.argument}" holds no SQL text.`,
      rule,
    };
  const { inspectSql } = await import('./sql/inspect.ts');
  const options = { dialect: rule.dialect, ...(rule.keys === undefined ? {} : { keys: rule.keys }) };
  const { tier, codes, reason } = await inspectSql(sql, options);
  return { tier, codes: [...codes], reason, rule };
}
