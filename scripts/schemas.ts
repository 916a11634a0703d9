import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { reportJsonSchema } from '../src/report/parse-report.ts';

/** Writes the published JSON Schemas that are made from code: `node scripts/schemas.ts`. */
const folder = resolve(import.meta.dirname, '../schema');
await writeFile(join(folder, 'report.schema.json'), `${JSON.stringify(reportJsonSchema(), null, 2)}\n`);
