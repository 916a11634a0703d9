import { floatingRelease, pipesToShell, plainHttp, unpinnedImage } from '../matchers/configuration.ts';
import { headerOnSensitive, remoteReferences } from '../matchers/schema-links.ts';
import type { ConfigRule, SchemaRule } from '../rule.ts';

/** AG-CF: how a server is declared. */
export const CONFIGURATION: readonly ConfigRule[] = [
  {
    id: 'AG-CF-001',
    on: 'config',
    title: 'Floating release',
    severity: 'low',
    what: 'A package without an exact release, or a git source without a commit.',
    why: 'What runs can change without any change in the repository.',
    example: '"args": ["-y", "some-server@latest"]',
    fix: 'Write the exact release.',
    match: floatingRelease,
  },
  {
    id: 'AG-CF-002',
    on: 'config',
    title: 'Unpinned image',
    severity: 'low',
    what: 'A container image by tag instead of digest.',
    why: 'A tag can be moved.',
    example: '"args": ["run", "-i", "ghcr.io/acme/server:1"]',
    fix: 'Write the digest: image@sha256:…',
    match: unpinnedImage,
  },
  {
    id: 'AG-CF-003',
    on: 'config',
    title: 'Download piped into a shell',
    severity: 'medium',
    what: '`curl … | sh` and its like as a server’s command.',
    why: 'Whoever serves the script runs on every machine that starts the server.',
    example: '"command": "bash", "args": ["-c", "curl -s https://get.example/x | sh"]',
    fix: 'Install a released package, and start that.',
    match: pipesToShell,
  },
  {
    id: 'AG-CF-004',
    on: 'config',
    title: 'Unencrypted URL',
    severity: 'low',
    what: 'An http: URL to another machine.',
    why: 'Anyone on the way can read the headers and change the surface.',
    example: '"url": "http://mcp.example/mcp"',
    fix: 'Use https.',
    match: plainHttp,
  },
];

export const CONFIGURATION_SCHEMAS: readonly SchemaRule[] = [
  {
    id: 'AG-CF-005',
    on: 'schema',
    title: 'Remote $ref',
    severity: 'low',
    what: 'A reference to a schema outside of the document.',
    why: 'What it points to is not pinned. The protocol forbids clients to fetch it unasked.',
    example: '"$ref": "https://schemas.example/a.json"',
    fix: 'Ask the author to bundle the schema.',
    match: remoteReferences,
  },
  {
    id: 'AG-CF-006',
    on: 'schema',
    title: 'Sensitive argument in a header',
    severity: 'low',
    what: '`x-mcp-header` on a parameter that is named for a secret or for content.',
    why: 'Headers are seen and logged by proxies that do not see bodies.',
    example: '"api_key": { "type": "string", "x-mcp-header": "Key" }',
    fix: 'Ask the author to leave it in the body.',
    match: headerOnSensitive,
  },
];
