// Writes source-index/index.md: a line for each of the files, or for each of the folders below src.
import { readFileSync, writeFileSync } from 'node:fs';

const files = JSON.parse(readFileSync('source-index/files.json', 'utf8'));
const folders = new Map();
for (const { path, lines } of files) {
  const folder = path.split('/').slice(0, 2).join('/');
  const sum = folders.get(folder) ?? { files: 0, lines: 0 };
  folders.set(folder, { files: sum.files + 1, lines: sum.lines + lines });
}
const rows =
  process.argv[2] === 'files'
    ? files.map(({ path, lines }) => `- ${path}: ${lines} lines`)
    : [...folders].map(([folder, sum]) => `- ${folder}: ${sum.files} files, ${sum.lines} lines`);
writeFileSync('source-index/index.md', ['# The source', '', ...rows, ''].join('\n'));
