import { resolve } from 'node:path';

/**
 * For processes that run the sources: stripping the types of 250 files is half of a short run. Node looks up what it
 * keeps here by content.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/test-processes'),
};
