/** Where a server comes from, finer than the lock's `Source`. */
export interface Origin {
  type: 'npm' | 'pypi' | 'local' | 'remote' | 'oci' | 'git' | 'url' | 'nuget' | 'mcpb';
  package?: string;
  /** Exact: what runs. */
  version?: string;
  /** What is asked for, when it floats: a range, a tag, `''` for a bare name. */
  requested?: string;
  /** For `local`. As written. */
  path?: string;
  /** For `remote`. */
  url?: string;
  transport?: 'http' | 'sse';
  /** A tag, branch or ref that can be moved. */
  mutable?: boolean;
  /** Found in `node_modules`: the installed release runs. */
  installed?: boolean;
  /** Several packages are given; which one runs is not clear. */
  ambiguous?: boolean;
  /** A shell script that cannot be read. */
  opaque?: boolean;
  /** The bridge to a remote. */
  via?: Origin;
}
