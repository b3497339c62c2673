import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesBetween, diskState } from '../../support/e2e-disk.ts';
import { endsWith, removeSearches, TestSearch } from '../../support/searches/e2e-search.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';

const TITLES = [
  '../../x',
  '..',
  '/etc/passwd',
  'C:\\Windows\\x',
  'CON',
  'nul.txt',
  'LPT¹',
  '',
  ' ',
  'a'.repeat(10_000),
  '\u202Egnp.exe',
  'zero\u200Bwidth',
  'first\nsecond\r\nthird',
  '\u001b[31mred\u0007',
  '---js\nrequire("node:fs").writeFileSync("hacked", "")\n---',
  '---',
  '# Heading',
  '<script>alert(1)</script>',
  '](javascript:alert(1))',
  '"quoted": {yaml: [1',
  '!!js/function x',
  '$(touch hacked)',
  '`touch hacked`',
  '%2e%2e%2fx',
  '.git',
  '.search',
  'prompts',
  'node.json',
  'document.md',
  'search.json',
  '__proto__',
  'constructor',
  'toString',
  '测试中文标题',
  'Ünïcödé',
  'same',
  'same',
  'SAME',
  '\ud800',
  '😀😀',
];
const CODE = [
  '---js\nrequire("node:fs").writeFileSync("hacked", "")\n---\nbody',
  '---javascript\n({ get title() { require("node:fs").writeFileSync("hacked", "") } })\n---\nbody',
  '---\ntitle: !!js/function "function () { require(`node:fs`).writeFileSync(`hacked`, ``) }"\n---\nbody',
  '---\na: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n---\nbody',
];

/** Hostile titles twice over, a document in every title's words, code in the place of a first answer. */
function answer({ purpose, node, attempt }: ServerCall): string {
  if (purpose === 'pick') return '<output>\n../../x\n/etc/passwd\nprompts\n__proto__\n</output>';
  if (purpose === 'children') {
    const from = numberOf(node) % TITLES.length;
    const titles = node === '' ? TITLES : node.includes('/') ? [] : TITLES.slice(from, from + 5);
    const list = titles.map((title) => ({
      title,
      score: '../../x',
      why: title.slice(0, 100),
      path: '../../x',
      slug: '../../x',
    }));
    return `<output>${JSON.stringify(list)}</output>`;
  }
  const number = numberOf(node);
  if (attempt === 1 && number % 3 === 0) return CODE[number % CODE.length] ?? '';
  const title = TITLES[number % TITLES.length] ?? '';
  return `---\ntitle: ${JSON.stringify(title)}\nsummary: ${JSON.stringify(title.slice(0, 1000))}\n---\n${title}\n\nSo much for that.`;
}

/** The same number for the same node. */
function numberOf(node: string): number {
  return [...node].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0);
}

describe('a server that answers with hostile titles and documents', () => {
  afterEach(removeSearches);

  it('writes nothing outside the folder of the search, runs nothing, and the search ends', async () => {
    const search = await TestSearch.make({ answer });
    mkdirSync(join(search.workspace, 'src'));
    writeFileSync(join(search.workspace, 'src', 'main.ts'), 'export const answer = 42;\n');
    const before = diskState(search.workspace);
    await endsWith(0, search.start('--size', 'all', '--concurrency', '8', '--max-tokens', '20000000'));
    const changed = changesBetween(before, diskState(search.workspace));
    assert.ok(changed.every((path) => path === 'thought-trees/why' || path.startsWith('thought-trees/why/')));
    assert.equal(existsSync('hacked'), false);
    const { results, nodes, problems, state } = await search.status();
    assert.deepEqual([state, problems], ['finished', []]);
    assert.deepEqual(
      nodes.filter(({ status }) => status === 'failed'),
      [],
    );
    assert.ok(results.expanded + results.leaves > 150 && results.open + results.failed === 0);
    assert.ok(search.server.log.some(({ text }) => text.startsWith('---js')));
    checkFolders(search, nodes);
  });
});

/** Every node has a folder of its own with what belongs there, under a name that is one on every system. */
function checkFolders({ folder }: TestSearch, nodes: readonly { path: string; title: string; status: string }[]): void {
  const folders = readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== '.search' && !path.startsWith('.search/'));
  assert.deepEqual(folders.sort(), nodes.map(({ path }) => path).sort());
  const seen = new Set<string>();
  for (const { path, title, status } of nodes) {
    assert.ok(path.length <= 200);
    for (const name of path.split('/')) {
      assert.match(name, /^[\p{L}\p{M}\p{N}-]{1,60}$/u);
      assert.doesNotMatch(name, /^(con|nul|lpt¹)$/i);
    }
    assert.equal(seen.size, seen.add(path.toLowerCase().normalize('NFC')).size - 1, path);
    assert.doesNotMatch(title, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    const expected = status === 'unexpanded' ? ['node.json'] : ['children.json', 'document.md', 'node.json'];
    const files = readdirSync(join(folder, path), { withFileTypes: true }).filter((entry) => entry.isFile());
    assert.deepEqual(files.map(({ name }) => name).sort(), expected);
  }
  assert.ok(!nodes.some(({ path }) => path === 'prompts'));
}
