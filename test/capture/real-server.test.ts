import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { captureNode } from '../support/capture-it.ts';

describe('real servers', () => {
  test.each(['fs-2025.12.18', 'fs-2026.8.31'])('%s: 14 tools, twice the same', async (release) => {
    const main = join(import.meta.dirname, `../../node_modules/${release}/dist/index.js`);
    const capture = await captureNode([main, '.'], { starts: 2 });
    expect(capture).toMatchObject({
      ok: true,
      surface: { protocolVersion: '2025-11-25', transport: 'stdio' },
    });
    if (!capture.ok) return;
    expect(capture.surface.tools).toHaveLength(14);
    expect(capture.second).toEqual(capture.surface);
  });
});
