import type { BaseFiles } from './base-files.ts';
import { serverPolicy } from './config/policy.ts';
import type { FailOn, Policy, ServerPolicy } from './config/types.ts';
import { volatileText } from './lock/volatile-text.ts';
import type { Report } from './report/model.ts';
import { POLICY_CHANGED } from './report/policy-blocks.ts';

type Info = Report['info'][number];

/** Strictest first. */
const FAIL_ON: readonly FailOn[] = ['any', 'low', 'medium', 'high', 'critical', 'never'];

/**
 * What a pull request's policy lets pass, or gives away, that the policy of its base did not: a policy counts from the
 * commit that brings it, so its reader must be told. One info for each point; a stricter policy is none. What `skip` does
 * to a reviewed server is said with the server.
 */
export async function policyChanges(
  base: Pick<BaseFiles, 'policy'> | undefined,
  policy: Policy,
): Promise<Info[]> {
  if (base === undefined) return [];
  const before = await base.policy();
  if (before === undefined)
    return policy.file === undefined ? [] : [about('cannot be compared with the one before')];
  const keys = new Set([...policy.servers.keys(), ...before.servers.keys()]);
  return [
    ...failOnChange(before, policy),
    ...[...keys].flatMap((key) => serverChanges(key, serverPolicy(before, key), serverPolicy(policy, key))),
    ...suppressions(before, policy),
    ...(JSON.stringify(before.gate) === JSON.stringify(policy.gate)
      ? []
      : [about('changes the rules of the gate')]),
  ];
}

function about(what: string, server?: string): Info {
  return { code: POLICY_CHANGED, ...(server === undefined ? {} : { server }), message: what };
}

function failOnChange({ failOn: then = 'any' }: Policy, { failOn: now = 'any' }: Policy): Info[] {
  return FAIL_ON.indexOf(now) > FAIL_ON.indexOf(then)
    ? [about(`sets fail-on to ${now} (it was ${then})`)]
    : [];
}

function serverChanges(key: string, before: ServerPolicy, now: ServerPolicy): Info[] {
  const added = <T>(then: readonly T[], these: readonly T[], text: (item: T) => string): string[] => {
    const known = new Set(then.map(text));
    return these.map(text).filter((each) => !known.has(each));
  };
  const found: string[] = [];
  if (now.home === 'inherit' && before.home !== 'inherit') found.push('gives the server the home of the job');
  if (now.network === 'inherit' && before.network === 'none') found.push('gives the server the network');
  if (now.resources === 'ignore' && before.resources !== 'ignore') found.push('no longer pins resources');
  for (const name of added(before.passEnv, now.passEnv, String))
    found.push(`passes the variable ${name} of the job`);
  for (const rule of added(before.volatile, now.volatile, volatileText)) found.push(`masks ${rule}`);
  return found.map((what) => about(what, key));
}

function suppressions(before: Policy, now: Policy): Info[] {
  const text = ({ rule, server, name, expires }: Policy['suppress'][number]): string =>
    `suppresses ${rule} ${name === undefined ? '' : `of ${name} `}${server === undefined ? 'everywhere' : 'here'}${
      expires === undefined ? '' : ` until ${expires}`
    }`;
  const known = new Set(before.suppress.map((each) => `${each.server} ${text(each)}`));
  return now.suppress
    .filter((each) => !known.has(`${each.server} ${text(each)}`))
    .map((each) => about(text(each), each.server));
}
