import type { Rule, RuleInfo } from '../rule.ts';
import { CONFIGURATION, CONFIGURATION_SCHEMAS } from './configuration.ts';
import { POISONING_CARRIERS } from './poisoning-carriers.ts';
import { POISONING_SCHEMAS } from './poisoning-schemas.ts';
import { POISONING_WORDING } from './poisoning-wording.ts';
import { SECRET_CONFIGS, SECRET_TEXTS } from './secrets.ts';
import { SHADOWING_SCHEMAS, SHADOWING_SURFACES, SHADOWING_TEXTS } from './shadowing.ts';
import { SKILLS } from './skills.ts';
import { UI_RULES } from './ui.ts';

/** Every rule. One id may stand twice when it looks at texts and at the config. */
export const RULES: readonly Rule[] = [
  ...POISONING_WORDING,
  ...POISONING_CARRIERS,
  ...POISONING_SCHEMAS,
  ...UI_RULES,
  ...SHADOWING_SURFACES,
  ...SHADOWING_SCHEMAS,
  ...SHADOWING_TEXTS,
  ...SECRET_TEXTS,
  ...SECRET_CONFIGS,
  ...CONFIGURATION,
  ...CONFIGURATION_SCHEMAS,
  ...SKILLS,
];

/** What is to be said of each rule, once per id, in order of ids. */
export function ruleInfos(): RuleInfo[] {
  const byId = new Map<string, RuleInfo>();
  for (const { id, title, severity, what, why, example, fix } of RULES)
    if (!byId.has(id)) byId.set(id, { id, title, severity, what, why, example, fix });
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
