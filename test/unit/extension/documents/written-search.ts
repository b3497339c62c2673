import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const DOCUMENT =
  '---\ntitle: Keys\nsummary: Which keys there are.\n---\n\n# Keys\n\nSee [the queue](../../../src/queue.ts#L1).\n';
const COUNTS = { verified: 7, moved: 0, stale: 1, not_found: 0 };

/** The files of a small search: two levels, a report, and nothing that runs. */
const FILES: Readonly<Record<string, unknown>> = {
  'search.json': { version: 1, kind: 'research', title: 'How does it <b>cache</b>?', prompt: 'How?' },
  'children.json': [{ title: 'Cache', slug: 'cache' }],
  'report.md': '# How\n\nIt caches.\n',
  'cache/node.json': { title: 'Cache', status: 'expanded' },
  'cache/document.md': '# Cache\n\nNo front matter.\n',
  'cache/children.json': [{ title: 'Keys', slug: 'keys' }],
  'cache/keys/node.json': { title: 'Keys', status: 'expanded', evaluation: { score: 8 }, citations: COUNTS },
  'cache/keys/document.md': DOCUMENT,
  'cache/keys/children.json': [
    { title: 'Rate & limits', slug: 'rate' },
    { title: 'Open', slug: 'open' },
    { title: 'Outside', slug: '../../../secret' },
  ],
  'cache/keys/rate/node.json': { title: 'Rate & limits', status: 'leaf' },
  'cache/keys/rate/document.md': '# Rate\n',
  'cache/keys/open/node.json': { title: 'Open', status: 'unexpanded' },
};

/** Writes it into a new workspace, and returns its folder. */
export function writtenSearch(more: Readonly<Record<string, unknown>> = {}): string {
  const folder = join(temporaryFolder('documents'), 'thought-trees', 'how');
  for (const [name, content] of Object.entries({ ...FILES, ...more })) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}
