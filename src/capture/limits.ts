/** Limits of a capture, `DESIGN.md` §5. */
export const LIMITS = {
  /** Bytes of one message. */
  messageBytes: 16 * 1024 * 1024,
  /** Bytes of all answers that make up a surface. */
  surfaceBytes: 64 * 1024 * 1024,
  /** JSON values of one message, and of all answers that make up a surface: each takes more memory than its text. */
  values: 1_000_000,
  /** Estimated bytes of memory of all surfaces of one run together, beside the first MiB of each. */
  runWeight: 80 * 1024 * 1024,
  /**
   * Bytes of everything that a server may say on one connection, noise and repeated lists included. Of a capture alone:
   * a session that lasts has no such sum.
   */
  connectionBytes: 256 * 1024 * 1024,
  /** Messages on one connection; in a session that lasts, those that nobody asked for, in one {@link LIMITS.windowMs}. */
  messages: 100_000,
  /** Requests of the server that are answered on one connection, or in one window. */
  serverRequests: 1_000,
  /** What is counted in a session that lasts, is counted anew after so many milliseconds. */
  windowMs: 10_000,
  /** Irregular answers that are remembered on one connection. */
  irregular: 1_000,
  /** Different methods kept of the server's requests. */
  askedMethods: 64,
  /** Tools, prompts, resources and templates together. */
  capabilities: 10_000,
  pagesPerList: 1_000,
  /** How often a list is read again after `list_changed`. */
  relists: 5,
  uiResources: 64,
  /** Bytes of all UI resources. */
  uiBytes: 16 * 1024 * 1024,
  /** Files and bytes of one skill that a server offers (MCP skills extension, SEP-2640). */
  skillFiles: 512,
  skillBytes: 16 * 1024 * 1024,
  /** Files of all its skills. */
  allSkillFiles: 4_096,
  /** Files that are read at once. */
  skillReads: 8,
  /** Levels of arrays and objects of one definition. */
  definitionDepth: 200,
  noiseLines: 20,
  noiseCharacters: 300,
} as const;

/** A definition stands in `result`, a list and a message: these levels come on top of its own. */
export const ENVELOPE_DEPTH = 3;
