import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaptureOptions } from '../../src/capture/capture.ts';
import type { Capture } from '../../src/capture/types.ts';
import { captureNode } from './capture-it.ts';

export interface Script {
  /** Written at once. */
  start?: string[];
  /** By method, for the n-th request: what is written, `$ID` being the request's id. */
  answers?: Record<string, string[][]>;
  /** Exits after answering this method. */
  exitAfter?: string;
}

/** A result's line. */
export function result(text: string): string {
  return `{"jsonrpc":"2.0","id":$ID,"result":${text}}\n`;
}

/** Captures a server that follows a script; `sent` are the messages that it got. */
export async function captureScript(
  script: Script,
  options: Partial<CaptureOptions> = {},
): Promise<{ capture: Capture; sent: { method?: string; params?: unknown; [key: string]: unknown }[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'script-test-'));
  try {
    const file = join(folder, 'script.json');
    const record = join(folder, 'record.jsonl');
    await writeFile(file, JSON.stringify(script));
    await writeFile(record, '');
    const server = join(import.meta.dirname, 'servers/script-server.mjs');
    const capture = await captureNode([server, file], { ...options, env: { RECORD: record } });
    const lines = (await readFile(record, 'utf8')).split('\n').filter((line) => line !== '');
    return { capture, sent: lines.map((line) => JSON.parse(line)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
