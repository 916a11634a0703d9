// Runs the server that the file `modes/KEY.json` names, `[script, ...arguments]`: a server's behaviour can change and its
// declared launch stay the same. `node run-as.mjs KEY`.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [script, ...args] = JSON.parse(readFileSync(`modes/${process.argv[2]}.json`, 'utf8'));
process.argv = [process.argv[0], script, ...args];
await import(pathToFileURL(script).href);
