// Checks what is in source-index. A check says what is wrong; its exit code is what counts.
import { readdirSync, readFileSync } from 'node:fs';

const LONGEST = 40;
const read = (name) => readFileSync(`source-index/${name}`, 'utf8');

const checks = {
  'has-list': () => (JSON.parse(read('files.json')).length > 100 ? [] : ['Most of the source is not in the list.']),
  'is-short': () => {
    const lines = read('index.md').split('\n').length;
    return lines > LONGEST ? [`The page has ${lines} lines; ${LONGEST} can be read at a glance.`] : [];
  },
  'names-folders': () => {
    const page = read('index.md');
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const missing = folders.filter(({ name }) => !page.includes(`src/${name}`));
    return missing.map(({ name }) => `The page does not name src/${name}.`);
  },
};
const wrong = checks[process.argv[2]]();
for (const line of wrong) console.error(line);
process.exit(wrong.length > 0 ? 1 : 0);
