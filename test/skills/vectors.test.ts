import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pinSkillsFolder } from '../../src/skills/pin-skills.ts';

interface Vector {
  name: string;
  skill: string;
  files: { [path: string]: { mode: 'file' | 'executable' | 'link'; base64: string } };
  hash: string;
  rows: [path: string, hash: string, mode: string][];
  bundleHash: string;
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../vectors/skills.json', import.meta.url), 'utf8'),
);

describe('vectors of skills', () => {
  test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const files = new Map(
      Object.entries(vector.files).map(([path, { mode, base64 }]) => [
        path,
        { mode, bytes: Buffer.from(base64, 'base64') },
      ]),
    );
    const skill = { name: 's', folder: 'skills/s', files };
    const record = pinSkillsFolder('skills', { skills: [skill], notes: [] }).skills?.get('s');
    expect(Buffer.from(vector.files['SKILL.md']?.base64 ?? '', 'base64').toString()).toBe(vector.skill);
    expect(record?.hash).toBe(vector.hash);
    expect([...(record?.files ?? [])].map(([path, { hash, mode }]) => [path, hash, mode])).toEqual(
      vector.rows,
    );
    expect(record?.bundleHash).toBe(vector.bundleHash);
  });
});
