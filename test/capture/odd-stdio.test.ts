import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Capture, Surface } from '../../src/capture/types.ts';
import { captureNode } from '../support/capture-it.ts';
import { sharedDir } from '../support/shared.ts';

const shared = sharedDir();
const odd = (...args: string[]): string[] => [join(shared ?? '', 'peers/odd-stdio-server.mjs'), ...args];

function surfaceOf(capture: Capture): Surface {
  if (!capture.ok) throw new Error(`${capture.error.code}: ${capture.error.message}`);
  return capture.surface;
}

describe.skipIf(shared === undefined)('odd stdio servers of the shared folder', () => {
  test('a plain server gives its whole surface', async () => {
    const surface = surfaceOf(await captureNode(odd('ok')));
    expect(surface.protocolVersion).toBe('2025-11-25');
    expect(surface.tools).toEqual([{ name: 'a', description: 'A', inputSchema: { type: 'object' } }]);
    expect(surface.prompts).toEqual([]);
    expect(surface.resources).toHaveLength(1);
    expect(surface.resourceTemplates).toHaveLength(1);
    expect(surface.instructions).toBe('Use a before b.');
  });
});
