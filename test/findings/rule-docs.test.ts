import { describe, expect, it } from 'vitest';
import { stalePages } from '../../scripts/rule-docs.ts';
import { RULES, ruleInfos } from '../../src/findings/rules/all.ts';

describe('rules', () => {
  it('have pages that are current (node scripts/rule-docs.ts writes them)', () => {
    expect(stalePages()).toEqual([]);
  });

  it('have ids of their family, each once but for a rule that looks at texts and at the config', () => {
    for (const { id } of RULES) expect(id).toMatch(/^AG-(?:TP|SH|SC|CF|SK)-\d{3}$/);
    const kinds = new Map<string, string[]>();
    for (const { id, on } of RULES) kinds.set(id, [...(kinds.get(id) ?? []), on]);
    for (const [id, on] of kinds) expect(new Set(on).size, id).toBe(on.length);
  });

  it('say what, why and what to do', () => {
    for (const rule of ruleInfos())
      for (const text of [rule.title, rule.what, rule.why, rule.example, rule.fix])
        expect(text.length, rule.id).toBeGreaterThan(5);
  });
});
