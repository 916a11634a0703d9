import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCheckpoint, writeCheckpoint } from '../../src/gate/ledger/checkpoint.ts';
import { GENESIS, type LedgerEntry, makeEntry, sha256Jcs } from '../../src/gate/ledger/entry.ts';
import { Ledger } from '../../src/gate/ledger/ledger.ts';
import { leafHash, MerkleTree } from '../../src/gate/ledger/merkle.ts';
import { verifyLedger } from '../../src/gate/ledger/verify.ts';
import { killLedgerWriters } from '../support/ledger-kills.ts';
import { NODE } from '../support/own-node.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-test-'));
  path = join(folder, 'ledger.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const draft = (number: number) =>
  ({
    type: 'checkpoint',
    proposal_id: null,
    server: null,
    actor: 'test',
    payload: { kind: 'test', number },
  }) as const;

const lines = (): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
const put = (all: readonly string[]): void => writeFileSync(path, `${all.join('\n')}\n`);
const codes = (heads: Parameters<typeof verifyLedger>[1] = []): string[] => {
  const report = verifyLedger(readFileSync(path), heads);
  return [...new Set(report.problems.map(({ code }) => code))];
};
const headOf = (all: readonly string[]) => {
  const tree = new MerkleTree();
  for (const line of all) tree.add(leafHash(line));
  return { size: tree.size, root: tree.root() };
};

async function filled(count: number): Promise<string[]> {
  const ledger = await Ledger.open(path);
  for (let number = 0; number < count; number++) await ledger.append(draft(number));
  return lines();
}

describe('a ledger', () => {
  it('holds one canonical object a line, each with the hash of the contract', async () => {
    const all = await filled(3);
    let previous = GENESIS;
    for (const [index, line] of all.entries()) {
      const { hash, ...body } = JSON.parse(line);
      expect(line).toBe(canonicalize(JSON.parse(line)));
      expect(body.seq).toBe(index);
      expect(body.prev_hash).toBe(previous);
      const { createHash } = await import('node:crypto');
      const text = `agentgate-ledger-v1\n${canonicalize(body)}`;
      expect(hash).toBe(createHash('sha256').update(text).digest('hex'));
      expect(Object.keys(body).sort()).toEqual(
        'actor payload payload_sha256 prev_hash proposal_id seq server ts type'.split(' '),
      );
      previous = hash;
    }
    expect(verifyLedger(readFileSync(path))).toMatchObject({ ok: true, entries: 3, anchored: false });
  });

  it('goes on where another process stopped, and sees what others append in between', async () => {
    await filled(2);
    const [one, two] = [await Ledger.open(path), await Ledger.open(path)];
    await one.append(draft(2));
    await two.append(draft(3));
    await one.append(draft(4));
    expect(verifyLedger(readFileSync(path))).toMatchObject({ ok: true, entries: 5 });
    two.refresh();
    expect(two.size).toBe(5);
  });

  it('decides on what is there, with nothing in between', async () => {
    const seen: number[] = [];
    const counter = () => {
      let count = 0;
      return {
        apply: (_: LedgerEntry): void => {
          count++;
        },
        reset: (): void => {
          count = 0;
        },
        count: () => count,
      };
    };
    const folds = [counter(), counter()];
    const ledgers = await Promise.all(folds.map((fold) => Ledger.open(path, { fold })));
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        ledgers[index % 2]?.commit(() => {
          const count = folds[index % 2]?.count() ?? -1;
          seen.push(count);
          return [draft(count)];
        }),
      ),
    );
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(lines().map((line) => JSON.parse(line).payload.number)).toEqual(seen);
  });

  it('is read while it is written, without taking anything twice', async () => {
    let applied = 0;
    const fold = {
      apply: (): void => {
        applied++;
      },
      reset: (): void => {
        applied = 0;
      },
    };
    const ledger = await Ledger.open(path, { fold });
    let done = false;
    const reading = (async () => {
      while (!done) {
        ledger.refresh();
        await new Promise((next) => setImmediate(next));
      }
    })();
    for (let round = 0; round < 20; round++)
      await Promise.all([0, 1, 2].map((number) => ledger.append(draft(round * 3 + number))));
    done = true;
    await reading;
    expect(applied).toBe(60);
    expect(codes()).toEqual([]);
  });

  it.each<[string, LedgerEntry['payload']]>([
    ['too large', { text: 'x'.repeat(17 * 1024 * 1024) }],
    ['with keys that are equal to some readers', { '\u00e9': 1, 'e\u0301': 2 }],
    ['without a form', { number: Number.POSITIVE_INFINITY }],
  ])('takes no entry that nobody could read again: one %s', async (_, payload) => {
    const ledger = await Ledger.open(path);
    await ledger.append(draft(0));
    await expect(ledger.append({ ...draft(1), payload })).rejects.toMatchObject({ code: 'E_NOT_RECORDABLE' });
    await ledger.append(draft(2));
    expect((await Ledger.open(path)).size).toBe(2);
  });

  it('refuses for one and goes on for the others when a decision throws', async () => {
    const ledger = await Ledger.open(path);
    const outcomes = await Promise.allSettled([
      ledger.append(draft(0)),
      ledger.commit(() => {
        throw new Error('no');
      }),
      ledger.append(draft(1)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(lines()).toHaveLength(2);
    expect(codes()).toEqual([]);
  });

  it('says that it begins a new file', async () => {
    const notices: string[] = [];
    const ledger = await Ledger.open(path, { notice: (text) => notices.push(text) });
    expect(existsSync(path)).toBe(false);
    await ledger.append(draft(0));
    expect(notices).toEqual([expect.stringContaining('new ledger')]);
  });

  it('writes nothing where it cannot', async () => {
    const ledger = await Ledger.open(join(folder, 'file', 'ledger.jsonl')).catch((error) => error);
    expect(ledger).toBeInstanceOf(Ledger);
    writeFileSync(join(folder, 'plain'), '');
    await expect(Ledger.open(join(folder, 'plain', 'ledger.jsonl'))).rejects.toMatchObject({
      code: 'E_LEDGER_UNWRITABLE',
    });
  });

  it.each<[string, string, () => void]>([
    ['removed', 'E_LEDGER_TRUNCATED', () => rmSync(path)],
    ['emptied', 'E_LEDGER_TRUNCATED', () => writeFileSync(path, '')],
    ['cut', 'E_LEDGER_TRUNCATED', () => truncateSync(path, Buffer.byteLength(`${lines()[0]}\n`))],
    [
      'written anew',
      'E_LEDGER_REWRITTEN',
      () => writeFileSync(path, readFileSync(path, 'utf8').replaceAll('2', '3')),
    ],
    ['given a line of nonsense', 'E_LEDGER_FORM', () => appendFileSync(path, 'nonsense\n')],
    ['given an entry once more', 'E_LEDGER_BROKEN', () => appendFileSync(path, `${lines()[2]}\n`)],
  ])('is never appended to after it was %s while in use', async (_, code, harm) => {
    const ledger = await Ledger.open(path);
    for (const number of [0, 1, 2]) await ledger.append(draft(number));
    harm();
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    await expect(ledger.append(draft(3))).rejects.toMatchObject({ code });
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before);
  });

  it.each<[string, () => void]>([
    ['a pipe', () => execFileSync('mkfifo', [path])],
    ['a device', () => symlinkSync('/dev/zero', path)],
    ['a folder', () => mkdirSync(path)],
  ])('is a plain file: %s is refused at once', (_, make) => {
    make();
    const modules = ['ledger/ledger.ts', 'ledger/read.ts'].map((file) =>
      JSON.stringify(join(import.meta.dirname, '../../src/gate', file)),
    );
    const script = `
      const [{ Ledger }, { readLedgerFile }] = await Promise.all([${modules.map((url) => `import(${url})`)}]);
      const path = ${JSON.stringify(path)};
      for (const work of [() => Ledger.open(path), async () => readLedgerFile(path)])
        console.log(await work().catch(({ code }) => code));`;
    // In a process of its own: to wait for a pipe stops everything.
    const said = execFileSync(NODE, ['--input-type=module', '-e', script], { timeout: 20_000 });
    expect(said.toString()).toBe('E_LEDGER_UNREADABLE\nE_LEDGER_UNREADABLE\n');
  });

  it('cuts a torn last line and records it, before it writes anything else', async () => {
    const all = await filled(2);
    const torn = '{"actor":"x","hash":"12';
    appendFileSync(path, torn);
    expect(codes()).toEqual(['E_LEDGER_TORN']);
    const notices: string[] = [];
    const ledger = await Ledger.open(path, { notice: (text) => notices.push(text) });
    await ledger.append(draft(2));
    const [recovery, after] = lines()
      .slice(2)
      .map((line) => JSON.parse(line));
    expect(lines().slice(0, 2)).toEqual(all);
    expect(recovery).toMatchObject({
      type: 'checkpoint',
      payload: { kind: 'recovery', torn_bytes: torn.length },
    });
    expect(Buffer.from(recovery.payload.torn_start, 'base64').toString()).toBe(torn);
    expect(after.payload.number).toBe(2);
    expect(codes()).toEqual([]);
    expect(notices).toHaveLength(1);
  });

  it('cuts a torn line that is longer than what comes in its place', async () => {
    await filled(1);
    appendFileSync(path, 'y'.repeat(100_000));
    await (await Ledger.open(path)).append(draft(1));
    expect(codes()).toEqual([]);
    expect(lines()).toHaveLength(3);
  });
});

describe('tampering', () => {
  const COUNT = 6;
  let all: string[];
  const at = (index: number): string => all[index] ?? '';
  beforeEach(async () => {
    all = await filled(COUNT);
  });

  it('edited: a changed member', () => {
    put(all.with(2, at(2).replace('"number":2', '"number":7')));
    expect(codes()).toContain('E_LEDGER_EDITED');
    expect(verifyLedger(readFileSync(path)).problems[0]?.line).toBe(3);
  });

  it('edited: with its own hash made to fit', () => {
    const entry = JSON.parse(at(2));
    const forged = makeEntry(draft(7), { seq: 2, prevHash: entry.prev_hash, now: new Date(entry.ts) });
    put(all.with(2, forged.line));
    expect(codes()).toEqual(['E_LEDGER_EDITED']);
    expect(verifyLedger(readFileSync(path)).problems[0]?.line).toBe(3);
  });

  it('edited: other bytes for the same value', () => {
    put(all.with(2, at(2).replace('"actor":"test"', '"actor": "test"')));
    expect(codes()).toEqual(['E_LEDGER_EDITED']);
    put(all.with(2, at(2).replace('test', '\\u0074est')));
    expect(codes()).toEqual(['E_LEDGER_EDITED']);
  });

  it('edited: a payload digest that is not the payload’s, in a chain built anew', () => {
    const forged = makeEntry(
      { ...draft(0), payload_sha256: sha256Jcs({ other: true }) },
      { seq: 0, prevHash: GENESIS, now: new Date() },
    );
    put([forged.line]);
    expect(codes()).toEqual(['E_LEDGER_EDITED']);
  });

  it('deleted', () => {
    put(all.toSpliced(2, 1));
    expect(codes()).toEqual(['E_LEDGER_DELETED']);
    put(all.slice(1));
    expect(codes()).toEqual(['E_LEDGER_DELETED']);
  });

  it('inserted', () => {
    const previous: LedgerEntry = JSON.parse(at(1));
    const forged = makeEntry(draft(9), { seq: 2, prevHash: previous.hash, now: new Date() });
    put(all.toSpliced(2, 0, forged.line));
    expect(codes()).toEqual(['E_LEDGER_INSERTED']);
    expect(verifyLedger(readFileSync(path)).problems[0]?.line).toBe(3);
  });

  it('reordered', () => {
    put(all.with(2, at(3)).with(3, at(2)));
    expect(codes()).toEqual(['E_LEDGER_REORDERED']);
  });

  it('duplicated', () => {
    put(all.toSpliced(3, 0, at(2)));
    expect(codes()).toEqual(['E_LEDGER_DUPLICATED']);
    put([...all, at(COUNT - 1)]);
    expect(codes()).toEqual(['E_LEDGER_DUPLICATED']);
  });

  it('a key twice', () => {
    put(all.with(2, at(2).replace('{"actor":"test"', '{"actor":"root","actor":"test"')));
    expect(codes()).toContain('E_LEDGER_DUPLICATE_KEY');
    put(all.with(2, at(2).replace('"kind":"test"', '"kind":"a","kind":"test"')));
    expect(codes()).toContain('E_LEDGER_DUPLICATE_KEY');
  });

  it('truncated: only against a checkpoint', () => {
    const head = headOf(all);
    put(all.slice(0, 4));
    expect(codes()).toEqual([]);
    expect(codes([head])).toEqual(['E_LEDGER_TRUNCATED']);
    writeFileSync(path, '');
    expect(codes([head])).toEqual(['E_LEDGER_TRUNCATED']);
  });

  it('rewritten as a whole: only against a checkpoint', async () => {
    const head = headOf(all);
    rmSync(path);
    const ledger = await Ledger.open(path);
    for (let number = 0; number < COUNT + 2; number++) await ledger.append(draft(number * 2));
    expect(codes()).toEqual([]);
    expect(codes([head])).toEqual(['E_LEDGER_REWRITTEN']);
  });

  it('grown since a checkpoint: fine', async () => {
    const head = headOf(all);
    await (await Ledger.open(path)).append(draft(COUNT));
    expect(verifyLedger(readFileSync(path), [head])).toMatchObject({ ok: true, anchored: true });
  });

  it('anything at all done to the bytes is found', () => {
    const whole = readFileSync(path);
    const head = headOf(all);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (offset, change) => {
        const harmed = Buffer.from(whole);
        harmed[offset] = (harmed[offset] ?? 0) ^ change;
        return !verifyLedger(harmed, [head]).ok && !verifyLedger(harmed).ok;
      }),
    );
  });
});

describe('the lock of a ledger', () => {
  const lock = (): string => `${path}.lock`;
  const place = `${hostname()}|${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}|${readlinkSync('/proc/self/ns/pid')}`;
  const held = (owner: object): void =>
    writeFileSync(lock(), JSON.stringify({ place, start: '1', nonce: 'a'.repeat(24), ...owner }));

  it('is taken over from a process that is gone, or whose number another one has', async () => {
    await filled(1);
    for (const pid of [2 ** 22 + 1, process.pid]) {
      held({ pid });
      await (await Ledger.open(path)).append(draft(1));
      expect(existsSync(lock())).toBe(false);
    }
    expect(codes()).toEqual([]);
  });

  it('is taken over once, also when who took it over died in the middle', async () => {
    await filled(1);
    held({ pid: 2 ** 22 + 1 });
    const claim = { pid: 2 ** 22 + 2, place, start: '1', nonce: 'b'.repeat(24) };
    writeFileSync(`${lock()}.${'a'.repeat(24)}`, JSON.stringify(claim));
    const ledgers = await Promise.all([0, 1, 2, 3].map(() => Ledger.open(path)));
    await Promise.all(ledgers.map((ledger, index) => ledger.append(draft(index))));
    expect(codes()).toEqual([]);
    expect(lines()).toHaveLength(5);
    expect(readdirSync(folder).filter((name) => name !== 'ledger.jsonl')).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['a process of another host', () => held({ pid: 1, place: 'elsewhere|x|y' })],
    [
      'a process of another namespace',
      () => held({ pid: 2 ** 22 + 1, place: place.replace(/pid:.*/, 'pid:[1]') }),
    ],
    ['something that is no lock', () => writeFileSync(lock(), 'x')],
  ])('is not taken from %s', async (_, hold) => {
    await filled(1);
    hold();
    const { FileLock } = await import('../../src/gate/ledger/file-lock.ts');
    await expect(new FileLock(lock()).acquire(50)).rejects.toMatchObject({ code: 'E_LEDGER_BUSY' });
    expect(existsSync(lock())).toBe(true);
  });
});

describe('a checkpoint', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const head = { size: 3, root: Buffer.alloc(32, 7) };
  const note = () => writeCheckpoint(head, { origin: 'example.com/ledger', privateKey });

  it('is a signed note of C2SP', () => {
    const [origin, size, root, empty, signature] = note().split('\n');
    expect([origin, size, root, empty]).toEqual([
      'example.com/ledger',
      '3',
      head.root.toString('base64'),
      '',
    ]);
    expect(signature).toMatch(/^— example\.com\/ledger [A-Za-z0-9+/=]+$/);
    expect(readCheckpoint(note(), { publicKey })).toMatchObject({ size: 3, origin: 'example.com/ledger' });
  });

  it('has the root of RFC 6962', async () => {
    const { createHash } = await import('node:crypto');
    const sha = (...parts: (Buffer | string)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
    const root = (leaves: string[]): Buffer => {
      if (leaves.length === 0) return sha('');
      if (leaves.length === 1) return sha(Buffer.of(0), leaves[0] ?? '');
      let split = 1;
      while (split * 2 < leaves.length) split *= 2;
      return sha(Buffer.of(1), root(leaves.slice(0, split)), root(leaves.slice(split)));
    };
    for (let count = 0; count < 20; count++) {
      const leaves = Array.from({ length: count }, (_, index) => `leaf ${index}`);
      expect(headOf(leaves).root.toString('hex')).toBe(root(leaves).toString('hex'));
    }
  });

  it('is refused when changed, signed by another key, or no checkpoint', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    const refused = (text: string, key = publicKey) =>
      expect(() => readCheckpoint(text, { publicKey: key })).toThrow(/E_CHECKPOINT|checkpoint/);
    refused(note().replace('\n3\n', '\n2\n'));
    refused(note().replace('example.com', 'example.org'));
    refused(note(), other);
    refused('');
    refused('a\nb\nc\n\n— x y\n');
  });
});

describe('processes', () => {
  it.skipIf(process.platform === 'win32')(
    'of a group share one in a folder that was given to it',
    async () => {
      await filled(1);
      expect(statSync(path).mode & 0o777).toBe(0o640);
      rmSync(path);
      chmodSync(folder, 0o2770);
      await filled(1);
      expect(statSync(path).mode & 0o777).toBe(0o660);
    },
  );

  it('append at once, are killed at random moments, and lose nothing that was acknowledged', async () => {
    const left = await killLedgerWriters(path, { count: 16, writers: 8, seed: 7 });
    expect(left.acknowledged).toBeGreaterThan(100);
    expect(left.entries).toBeGreaterThanOrEqual(left.acknowledged);
    expect(left).toMatchObject({ kills: 16, lost: [], problems: [], litter: [] });
  }, 120_000);
});
