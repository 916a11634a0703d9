import type { Severity } from '../config/types.ts';

/** Text or configuration that looks dangerous, `DESIGN.md` §7. */
export interface Finding {
  /** `AG-TP-001` and its like. */
  rule: string;
  severity: Severity;
  server: string;
  kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate' | 'instructions' | 'skill' | 'server' | 'config';
  name: string;
  /** Into the definition; `/text`, `/body`, `/command`, `/args/0`, `/env/NAME`, `/url`, `/headers/NAME`. */
  pointer: string;
  message: string;
  /** Hidden characters made visible, secrets redacted, bounded length. */
  evidence: string;
  /** The reason of the suppression that covers it, or null. */
  suppressed: string | null;
}
