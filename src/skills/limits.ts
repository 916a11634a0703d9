/** Limits of reading a repository's skills. Files and bytes are those of the MCP skills extension (SEP-2640). */
export const SKILL_LIMITS = {
  /** Of one skill. */
  files: 512,
  /** Of one skill, all files together. */
  bytes: 16 * 1024 * 1024,
  /** Folders below a skills folder in which skills are looked for, and below a skill in which its files may be. */
  depth: 6,
  /** Of one skills folder. */
  skills: 1_000,
  /** Of one skills folder, all skills together. */
  totalBytes: 128 * 1024 * 1024,
  /** Folders looked into when skills folders are searched for. */
  visits: 50_000,
} as const;

/** Never looked into: neither is part of what a repository's reviewer sees. */
export const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
