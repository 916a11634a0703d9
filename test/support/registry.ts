import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface FakePackage {
  name: string;
  version: string;
  /** Further members of package.json. */
  manifest?: Record<string, unknown>;
  /** Path in the package to its text; files under `bin/` are executable. */
  files: Record<string, string>;
}

export interface FakeRegistry {
  url: string;
  /** `METHOD path authorization`, in order. */
  requests: { path: string; authorization: string | undefined }[];
  /** Adds a release, or puts another package in the place of one. */
  publish(item: FakePackage): void;
  close(): Promise<void>;
}

/** An npm registry on loopback that serves the given packages. With a token, it answers 401 without it. */
export async function startRegistry(packages: FakePackage[], token?: string): Promise<FakeRegistry> {
  const all = [...packages];
  const requests: FakeRegistry['requests'] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push({ path, authorization: request.headers.authorization });
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end('{}');
      return;
    }
    const tarball = /^\/tarballs\/(.+)\/([^/]+)\.tgz$/.exec(path);
    if (tarball) {
      const item = all.find((entry) => entry.name === tarball[1] && entry.version === tarball[2]);
      if (item === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(pack(item));
      return;
    }
    const name = path.slice(1);
    const versions = all.filter((entry) => entry.name === name);
    const latest = versions.at(-1);
    if (latest === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
      return;
    }
    const document = {
      name,
      'dist-tags': { latest: latest.version },
      versions: Object.fromEntries(
        versions.map((entry) => [
          entry.version,
          {
            ...manifestOf(entry),
            dist: {
              tarball: `${url()}/tarballs/${name}/${entry.version}.tgz`,
              integrity: integrityOf(entry),
            },
          },
        ]),
      ),
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    requests,
    publish: (item) => {
      const there = all.findIndex(({ name, version }) => name === item.name && version === item.version);
      if (there === -1) all.push(item);
      else all[there] = item;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function manifestOf(item: FakePackage): Record<string, unknown> {
  const scripts = (item.manifest?.scripts ?? {}) as Record<string, string>;
  const hasInstallScript = Object.keys(scripts).some((name) => /^(pre|post)?install$/.test(name));
  return {
    name: item.name,
    version: item.version,
    ...item.manifest,
    ...(hasInstallScript ? { hasInstallScript } : {}),
  };
}

export function integrityOf(item: FakePackage): string {
  return `sha512-${createHash('sha512').update(pack(item)).digest('base64')}`;
}

/** A gzipped ustar archive, the same bytes for the same package. */
function pack(item: FakePackage): Buffer {
  const { name, version, manifest, files } = item;
  const entries: [string, string][] = [
    ['package.json', JSON.stringify({ name, version, ...manifest })],
    ...Object.entries(files),
  ];
  const blocks = entries.flatMap(([path, text]) => {
    const body = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(`package/${path}`, 0);
    header.write(path.startsWith('bin/') ? '0000755\0' : '0000644\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 1 });
}
