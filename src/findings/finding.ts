import { visibleLine } from '../util/hidden.ts';
import { pointer, pointerTokens } from '../util/json.ts';
import { withoutSecrets } from '../util/redact.ts';
import { findSecrets } from '../util/secrets.ts';
import { evidenceOf } from './evidence.ts';
import type { FindingKind, PlaceHit, Rule, RuleInfo } from './rule.ts';
import type { Finding } from './types.ts';

/** What a message says its subject is. */
export type Subject = 'text' | 'name' | 'value' | 'page' | 'declaration';

/** A match that its rule has placed, as a finding. */
export function placed(rule: Rule, hit: PlaceHit, server: string, kind: FindingKind, name: string): Finding {
  const subject = rule.on === 'config' ? 'declaration' : rule.on === 'surfaces' ? 'name' : 'value';
  return finding(rule, hit, subject, server, kind, name);
}

/** The finding of a match, with its message and evidence fit to print. */
export function finding(
  rule: RuleInfo,
  hit: PlaceHit,
  subject: Subject,
  server: string,
  kind: FindingKind,
  name: string,
): Finding {
  const at = cleanPointer(hit.pointer);
  return {
    rule: rule.id,
    severity: hit.severity ?? rule.severity,
    server,
    kind,
    name,
    pointer: at,
    message: visibleLine(withoutSecrets(`The ${subject} at ${at.slice(0, 200)} ${hit.message}.`)),
    evidence: evidenceOf(hit.shown, hit.start ?? 0, hit.end ?? Math.min(hit.shown.length, 200)),
    suppressed: null,
  };
}

/** A key can be a credential; the pointer must not print it. */
function cleanPointer(at: string): string {
  if (at.length < 30) return at;
  const tokens = pointerTokens(at);
  return tokens.some((token) => findSecrets(token).length > 0) ? pointer(...tokens.map(withoutSecrets)) : at;
}
