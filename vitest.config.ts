import { defineConfig } from 'vitest/config';

const results = process.env.VITEST_RESULTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real servers and the bundle run in child processes; two cores are the smallest machine that runs this.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Most tests wait for processes of their own; the default is one worker on two cores.
    maxWorkers: 3,
    globalSetup: 'test/support/temp-folder.ts',
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
