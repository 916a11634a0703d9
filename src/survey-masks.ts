import type { VolatileRule } from './config/types.ts';
import { volatileText } from './lock/volatile-text.ts';
import type { Survey, SurveyedServer } from './survey.ts';

/** Masks of the policy that matched nothing: what one was for may be gone. */
export function idleMaskInfo(servers: readonly SurveyedServer[]): Survey['info'] {
  return servers.flatMap(({ declared, result }) =>
    result.state === 'listed' ? result.idleMasks.map((rule) => remark(declared.key, rule)) : [],
  );
}

function remark(server: string, rule: VolatileRule): Survey['info'][number] {
  return {
    code: 'mask-unused',
    server,
    message: `the mask of ${volatileText(rule)} (line ${rule.line}) matched nothing: remove it, unless what it masks comes and goes`,
  };
}
