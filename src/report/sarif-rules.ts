import type { RuleInfo } from '../findings/rule.ts';

export interface SarifRule {
  id: string;
  name: string;
  shortDescription: { text: string };
  fullDescription?: { text: string };
  help?: { text: string; markdown: string };
  helpUri?: string;
  defaultConfiguration?: { level: 'error' | 'warning' | 'note' };
  properties?: { tags: string[]; precision?: string; 'security-severity'?: string };
}

/** GitHub's bands: over 9.0 critical, 7.0 high, 4.0 medium, 0.1 low. */
const SECURITY_SEVERITY = { critical: '9.5', high: '8.0', medium: '5.5', low: '2.0', info: '0.1' } as const;
const LEVELS = { critical: 'error', high: 'error', medium: 'warning', low: 'note', info: 'note' } as const;

const DOCS = 'https://github.com/agentgate/action/blob/main/docs/rules';

/** A rule of the findings as SARIF's reporting descriptor. */
export function toRule(rule: RuleInfo): SarifRule {
  return {
    id: rule.id,
    name: rule.title,
    shortDescription: { text: rule.title },
    fullDescription: { text: `${rule.what} ${rule.why}` },
    help: {
      text: `${rule.what}\n\nWhy: ${rule.why}\n\nWhat to do: ${rule.fix}`,
      markdown: `${rule.what}\n\n**Why**: ${rule.why}\n\n**What to do**: ${rule.fix}`.replaceAll('<', '&lt;'),
    },
    helpUri: `${DOCS}/${rule.id}.md`,
    defaultConfiguration: { level: LEVELS[rule.severity] },
    properties: {
      tags: ['security', 'mcp'],
      precision: rule.severity === 'low' ? 'medium' : 'high',
      'security-severity': SECURITY_SEVERITY[rule.severity],
    },
  };
}

function drift(id: string, name: string, text: string, fix: string): SarifRule {
  return {
    id,
    name,
    shortDescription: { text: name },
    fullDescription: { text },
    help: { text: `${text}\n\nWhat to do: ${fix}`, markdown: `${text}\n\n**What to do**: ${fix}` },
    helpUri: 'https://github.com/agentgate/action#readme',
    // No security-severity: the severity of a change follows what it changes, and shows as its level.
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['mcp', 'drift'] },
  };
}

const ACCEPT =
  'Read the change. To accept it, run `npx @agentgate/agentgate lock` and commit agentgate.lock.';
const CHECK = 'Correct the cause; until then nothing is known about the surface.';

const TEXTS = [
  [
    'AG-DR-001',
    'Capability changed',
    'A tool, prompt, resource or text of a server differs from what was reviewed.',
    ACCEPT,
  ],
  ['AG-DR-002', 'Capability added', 'A server offers something that was not reviewed.', ACCEPT],
  ['AG-DR-003', 'Capability removed', 'A server no longer offers something that was reviewed.', ACCEPT],
  [
    'AG-DR-004',
    'Capability renamed',
    'A server offers something that was reviewed under another name.',
    ACCEPT,
  ],
  [
    'AG-DR-005',
    'Server changed',
    'A server is new, gone, or started from another source or in another way.',
    ACCEPT,
  ],
  ['AG-DR-006', 'Server not checked', 'A server did not start or did not list what it offers.', CHECK],
  ['AG-DR-007', 'Check incomplete', 'The lock, the policy or a config could not be used.', CHECK],
] as const;

/** Drift, and what could not be checked. */
export const CHECK_RULES: readonly SarifRule[] = TEXTS.map(([id, name, text, fix]) =>
  drift(id, name, text, fix),
);
