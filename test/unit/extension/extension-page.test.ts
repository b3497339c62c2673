import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PACKAGING } from '../../../scripts/packaging.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(ROOT, PACKAGING.readmePath), 'utf8');
const texts = JSON.parse(readFileSync(join(ROOT, 'package.nls.json'), 'utf8')) as Record<string, string>;

/** What the page names that other parts of the editor, or of the page, are called. */
const OTHERS = new Set(['Thought Tree', 'workspace/quotes', 'Welcome: Open Walkthrough…']);

describe('the page of the extension', () => {
  it('has pictures that are part of it: those of files and data do not appear there, those of addresses need a network', () => {
    assert.doesNotMatch(page, /!\[|<img|<svg|<video|style=/);
    const pictures = [...page.matchAll(/^```\n(.*?)^```$/gms)].map(([, picture = '']) => picture);
    assert.ok(pictures.length >= 3);
    // Wider ones would be cut off next to the sidebar, at 1,280 pixels.
    for (const line of pictures.join('').split('\n')) assert.ok(line.length <= 72, line);
  });

  it('shows each status by the mark that the Explorer shows', () => {
    const source = readFileSync(join(ROOT, 'src/extension/sidebar/node-item.ts'), 'utf8');
    const marks = [...source.matchAll(/badge: '(.)'/g)].map(([, mark]) => mark);
    assert.deepEqual(
      [...(/^ ○ open.*$/m.exec(page)?.[0] ?? '').matchAll(/[^\w\s]/g)].map(([mark]) => mark).toSorted(),
      [...marks, '○'].toSorted(),
    );
  });

  it('names only commands that exist', () => {
    const titles = new Set(Object.entries(texts).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : [])));
    const body = page.replace(/^\*\*Ask .*\*\*$/m, '').replaceAll(/\s+/g, ' ');
    const named = [...body.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
    const commands = named.filter((name) => !name.endsWith('.') && !OTHERS.has(name));
    assert.ok(commands.length > 15);
    for (const name of commands)
      assert.ok(titles.has(name) || ['Every search has limits', 'You see a forecast'].includes(name), name);
    assert.ok(body.includes(`*${texts['walkthrough.title']}*`));
  });

  it('is for people who use the extension, not for those who build it', () => {
    assert.doesNotMatch(
      page,
      /npm |node_modules|\bclone\b|TypeScript|\]\((?!https:|#)|contribut|\bCLI\b|thought-tree [a-z]/i,
    );
  });
});
