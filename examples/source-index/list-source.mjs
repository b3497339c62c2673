// Writes source-index/files.json: every file of the source, with its number of lines.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const files = readdirSync('src', { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .sort()
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }));
mkdirSync('source-index', { recursive: true });
writeFileSync('source-index/files.json', `${JSON.stringify(files, null, 1)}\n`);
console.log(`${files.length} files`);
