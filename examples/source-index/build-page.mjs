// Writes source-index/index.html from source-index/index.md: headings and lists, which is all that the page has.
import { readFileSync, writeFileSync } from 'node:fs';

const lines = readFileSync('source-index/index.md', 'utf8').split('\n');
const html = lines.flatMap((line) => {
  const text = line
    .replace(/^(?:# |- )/, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
  if (line.startsWith('# ')) return [`<h1>${text}</h1>`];
  return line.startsWith('- ') ? [`<li>${text}</li>`] : [];
});
const page = ['<!doctype html>', '<meta charset="utf-8">', '<title>The source</title>', ...html, ''];
writeFileSync('source-index/index.html', page.join('\n'));
