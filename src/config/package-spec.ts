import type { Origin } from './origin.ts';

/** An exact semantic version, a `v` before it allowed. */
const EXACT = /^[v=]?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$/;
const NPM_NAME = /^(@[a-z0-9~._-]+\/)?[a-z0-9~._-]+$/i;

/**
 * The source of an npm package spec (npm-package-arg's forms): name, `name@range`, `alias@npm:name@range`, git,
 * tarball URL, folder. With `shorthand`, `owner/repo` is GitHub.
 */
export function npmSpec(spec: string): Origin {
  if (/^(\.{1,2}([\\/]|$)|[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:|link:)/.test(spec)) {
    return { type: 'local', path: spec.replace(/^(file|link):/, '') };
  }
  if (/^(git\+|git:|ssh:|git@)|^https?:\/\/[^#]*\.git(#|$)/.test(spec)) return gitSpec(spec);
  if (/^(github|gitlab|bitbucket|gist):/.test(spec)) return gitSpec(spec);
  if (/^https?:\/\//.test(spec)) {
    return /^https?:\/\/(www\.)?(github|gitlab)\.com\/[^/]+\/[^/#]+(#|$)/.test(spec)
      ? gitSpec(spec)
      : { type: 'url', package: withoutSecrets(spec) };
  }
  const body = spec.startsWith('npm:') ? spec.slice(4) : spec;
  const at = body.indexOf('@', 1);
  const name = at < 0 ? body : body.slice(0, at);
  const range = at < 0 ? '' : body.slice(at + 1);
  if (range.startsWith('npm:')) return npmSpec(range.slice(4));
  if (/^(git\+|git:|github:|gitlab:|bitbucket:|https?:|file:|\.{0,2}\/)/.test(range)) return npmSpec(range);
  if (/^[\w.-]+\/[\w.-]+(#.*)?$/.test(body) && !body.startsWith('@')) return gitSpec(`github:${body}`);
  if (!NPM_NAME.test(name)) return { type: 'npm', package: name, requested: range };
  const exact = EXACT.exec(range)?.[1];
  return exact === undefined
    ? { type: 'npm', package: name, requested: range }
    : { type: 'npm', package: name, version: exact };
}

/** A git repository and its ref: after `#`, or after the last `@` of the path in Python's form. */
export function gitSpec(spec: string): Origin {
  const hash = spec.indexOf('#');
  const fragment = hash < 0 ? undefined : spec.slice(hash + 1);
  // User-info goes first: its `@` is none of a ref.
  const address = withoutSecrets(hash < 0 ? spec : spec.slice(0, hash));
  const ref =
    fragment === undefined || /^(semver:|(subdirectory|egg)=)/.test(fragment) ? undefined : fragment;
  const python = /^(git\+[a-z]+:\/\/[^/]*\/[^@]*)@(.+)$/.exec(address);
  const base = python?.[1] ?? address;
  const version = ref ?? python?.[2];
  const origin: Origin = { type: 'git', package: base };
  if (version !== undefined && version !== '') {
    // A full or short object id stays; a branch or tag can be moved.
    origin.version = version;
    if (!/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(version)) origin.mutable = true;
  } else {
    origin.requested = fragment?.startsWith('semver:') ? fragment : '';
  }
  return origin;
}

/** The source of a Python requirement: `name`, `name==v`, `name@v` (uv), `name[x]>=1`, `name @ url`, git, URL, folder. */
export function pypiSpec(spec: string): Origin {
  const text = spec.trim();
  if (/^git\+/.test(text)) return gitSpec(text);
  if (/^https?:\/\//.test(text)) return { type: 'url', package: withoutSecrets(text) };
  if (
    /^(\.{1,2}([\\/]|$)|[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:)/.test(text) ||
    /\.(whl|tar\.gz|py)$/.test(text)
  ) {
    return { type: 'local', path: text.replace(/^file:(\/\/)?/, '') };
  }
  const match = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$/s.exec(text);
  if (!match) return { type: 'pypi', package: text, requested: '' };
  const name = pypiName(match[1] ?? text);
  const range = (match[2] ?? '').replace(/;.*$/, '').trim();
  const at = /^@\s*(.*)$/.exec(range)?.[1];
  if (at !== undefined && /^(git\+|https?:|file:)/.test(at)) return pypiSpec(at);
  const exact =
    /^={2,3}\s*([^,\s*]+)$/.exec(range)?.[1] ??
    (at !== undefined && /^v?\d[\w.!+-]*$/.test(at) ? at : undefined);
  if (exact !== undefined) return { type: 'pypi', package: name, version: exact };
  return { type: 'pypi', package: name, requested: at ?? range };
}

/** PEP 503: runs of `-`, `_` and `.` are one `-`, lower-case. */
function pypiName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

/** An image reference: digest, else tag, which can be moved. No tag is `latest`. */
export function imageSpec(reference: string): Origin {
  // An image by its id, which is a digest.
  if (/^sha256:[0-9a-f]{64}$/.test(reference)) return { type: 'oci', package: 'sha256', version: reference };
  const at = reference.indexOf('@');
  const name = at < 0 ? reference : reference.slice(0, at);
  const tag = /:([\w][\w.-]*)$/.exec(name)?.[1];
  const repository = tag === undefined ? name : name.slice(0, -tag.length - 1);
  if (at >= 0) return { type: 'oci', package: repository, version: reference.slice(at + 1) };
  if (tag === undefined) return { type: 'oci', package: repository, requested: '', mutable: true };
  return { type: 'oci', package: repository, version: tag, requested: tag, mutable: true };
}

/** A URL or git address without user-info (a bare user such as `git@` stays), query and, but for git, fragment. */
function withoutSecrets(address: string): string {
  return address.replace(/^([a-z+]+:\/\/)(?!git@)[^/@]*@/i, '$1').replace(/\?[^#]*/, '');
}
