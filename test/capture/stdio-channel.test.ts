import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelFault, Incoming } from '../../src/capture/channel.ts';
import { EventStreamReader } from '../../src/capture/event-stream.ts';
import { LineReader } from '../../src/capture/line-reader.ts';
import { readMessages } from '../../src/capture/message.ts';
import type { ServerProcess } from '../../src/capture/process-types.ts';
import { StdioChannel } from '../../src/capture/stdio-channel.ts';

/** A channel over streams that the test writes to. */
function channelOver(): {
  channel: StdioChannel;
  stdout: PassThrough;
  got: Incoming[];
  faults: ChannelFault[];
} {
  const stdout = new PassThrough();
  const process: ServerProcess = {
    stdin: new PassThrough(),
    stdout,
    pid: undefined,
    stderrTail: () => '',
    exited: new Promise(() => {}),
    end: async () => {},
    isolation: 'none',
    paths: { cwd: '/', home: '/', tmpdir: '/' },
  };
  const channel = new StdioChannel(process);
  const got: Incoming[] = [];
  const faults: ChannelFault[] = [];
  channel.onmessage = (incoming) => got.push(incoming);
  channel.onclose = (fault) => faults.push(fault);
  return { channel, stdout, got, faults };
}

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

const places = fc.array(fc.nat(5_000), { maxLength: 40 });
const json = fc.jsonValue({ maxDepth: 3 });
const noise = fc.oneof(
  fc.constantFrom(
    '',
    '   ',
    '[1,2]',
    'null',
    '{"level":"info"}',
    '{"jsonrpc":"1.0","id":1}',
    '{broken',
    'é{"jsonrpc":',
    '\u001b[2K',
  ),
  fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n{]/.test(text)),
);

describe('messages on standard output', () => {
  test('cut anywhere, with noise between them, by LF or CRLF', async () => {
    const part = fc.oneof(
      json.map((value) => ({ message: { jsonrpc: '2.0', id: 1, result: value } })),
      noise.map((text) => ({ noise: text })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        places,
        async (parts, eol, bom, at) => {
          const text = parts
            .map((one) => ('message' in one ? JSON.stringify(one.message) : one.noise) + eol)
            .join('');
          const { channel, stdout, got, faults } = channelOver();
          await channel.open();
          for (const chunk of cut(Buffer.from((bom ? '\ufeff' : '') + text), at))
            if (chunk.length > 0) stdout.write(chunk);
          const drained = new Promise((resolve) => stdout.once('end', resolve));
          stdout.end();
          await drained;
          expect(got.map(({ message }) => message)).toEqual(
            parts.flatMap((one) => ('message' in one ? [JSON.parse(JSON.stringify(one.message))] : [])),
          );
          expect(faults).toEqual([]);
          await channel.close();
        },
      ),
      { numRuns: 200 },
    );
  });

  test('a message with invalid UTF-8 closes the channel, noise with it does not', async () => {
    const { channel, stdout, got, faults } = channelOver();
    await channel.open();
    stdout.write(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(' log\n{"jsonrpc":"2.0","method":"a"}\n')]),
    );
    await expect.poll(() => got.length).toBe(1);
    stdout.write(
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"'), Buffer.from([0xc3]), Buffer.from('"}\n')]),
    );
    await expect.poll(() => faults.length).toBe(1);
    expect(faults[0]).toEqual({ code: 'E_UNPINNABLE', text: 'sent a message that is not valid UTF-8' });
    expect(got).toHaveLength(1);
  });

  test('noise is kept, bounded', async () => {
    const { channel, stdout } = channelOver();
    await channel.open();
    for (let line = 0; line < 100; line++) stdout.write(`${line} ${'x'.repeat(10_000)}\n`);
    await expect.poll(() => channel.noise().at(-1)?.startsWith('99 ')).toBe(true);
    expect(channel.noise()).toHaveLength(20);
    expect(channel.noise()[0]?.length).toBe(301);
  });
});

describe('LineReader', () => {
  test('gives the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\ufeff]/g, ''));
    fc.assert(
      fc.property(fc.array(line), places, (lines, at) => {
        const reader = new LineReader({ lineBytes: 100_000, totalBytes: 1_000_000 });
        const got: string[] = [];
        for (const chunk of cut(Buffer.from(lines.join('\n')), at))
          got.push(...reader.push(chunk).lines.map(({ text }) => text));
        got.push(...reader.end().map(({ text }) => text));
        expect(got).toEqual(lines.filter((text) => text.trim() !== ''));
      }),
    );
  });

  test('limits: a line of just the size passes, one byte more does not, nor a total over its limit', () => {
    const limits = { lineBytes: 10, totalBytes: 100 };
    const reader = new LineReader(limits);
    expect(reader.push(Buffer.from('0123456789\n')).lines).toHaveLength(1);
    expect(reader.push(Buffer.from('01234')).fault).toBeUndefined();
    expect(reader.push(Buffer.from('567890')).fault?.code).toBe('E_TOO_LARGE');
    const total = new LineReader(limits);
    expect(total.push(Buffer.from('a\n'.repeat(50))).fault).toBeUndefined();
    expect(total.push(Buffer.from('a')).fault?.code).toBe('E_TOO_LARGE');
  });
});

describe('readMessages', () => {
  const text = '{"jsonrpc":"2.0","id":1,"result":{}}';

  test.each([
    [`banner ${text}`, 1],
    [`{"log":1}${text}`, 1],
    [`a {"jsonrpc" b ${text}`, 1],
    [`x { "id": 1, "jsonrpc": "2.0" }`, 1],
    [`${text} trailer`, 0],
    [`[${text}]`, 0],
    [`{"a":${text}}`, 0],
  ])('recover in %s', (line, count) => {
    const messages = readMessages(line, { recover: true });
    expect(messages).toHaveLength(count);
    for (const { recovered } of messages) expect(recovered).toBe(true);
    expect(readMessages(line)).toEqual([]);
  });

  test('a batch keeps to each message its own problems', () => {
    const batch = `[${text},{"jsonrpc":"2.0","id":2,"result":{"a":1,"a":2}},7]`;
    expect(
      readMessages(batch, { batch: true }).map(({ message, problems }) => [
        message.id,
        problems.map(({ pointer }) => pointer),
      ]),
    ).toEqual([
      [1, []],
      [2, ['/result/a']],
    ]);
  });

  test('a line of a million braces takes no time', { timeout: 10_000 }, () => {
    expect(readMessages('x{"id"'.repeat(200_000), { recover: true })).toEqual([]);
    expect(readMessages(`${'['.repeat(100_000)}`, { batch: true })).toEqual([]);
  });
});

describe('EventStreamReader', () => {
  test('gives the same events however the text is cut', () => {
    const event = fc.record({
      lines: fc.array(
        fc.string().filter((text) => !/[\r\n]/.test(text)),
        { minLength: 1 },
      ),
      type: fc.constantFrom('', 'message', 'ping'),
    });
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r', '\r\n'), places, (events, eol, at) => {
        const text = events
          .map(({ lines, type }) =>
            [
              ...(type === '' ? [] : [`event: ${type}`]),
              ': comment',
              'id: 1',
              ...lines.map((line) => `data: ${line}`),
              '',
              '',
            ].join(eol),
          )
          .join('');
        const reader = new EventStreamReader(100_000);
        const got: string[] = [];
        const cuts = [...new Set(at.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
        for (const [index, from] of [0, ...cuts].entries())
          got.push(...(reader.push(text.slice(from, cuts[index] ?? text.length)) ?? ['dead']));
        expect(got).toEqual(
          events
            .filter(({ type }) => type !== 'ping')
            .map(({ lines }) => lines.join('\n'))
            .filter((data) => data !== ''),
        );
      }),
    );
  });

  test('an event over the bound', () => {
    const reader = new EventStreamReader(20);
    expect(reader.push('data: 0123456789\n\n')).toEqual(['0123456789']);
    expect(reader.push('data: 0123456789\ndata: 0')).toBeUndefined();
  });
});
