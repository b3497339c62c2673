import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSearch } from './write-search.ts';

const EVALUATIONS = {
  '10-4-6': {
    score: 9.2,
    confidence: 0.9,
    reasoning: '4 and 6 make 24, and both can be reached from here.',
    dimension_scores: { progress: 9.4, likelihood_of_success: 8.2 },
    votes: [8.5, 9.5, 9.6],
  },
  '13-9-4': { score: 7.4, confidence: 0.7, votes: [6, 7.5, 8.7] },
  '9-13-22': { score: 5.1, confidence: 0.3, low_confidence: true, reasoning: 'It may lead somewhere.' },
  '13-10-130': { score: 1.2, confidence: 0.9 },
} as const;

/** Writes a search whose nodes were evaluated, kept, merged and pruned in every way, with a document that links to a file. */
export function writeScoredSearch(folder: string): void {
  const leaf = { status: 'leaf', children: [] } as const;
  writeSearch(folder, 'Make 24 of 4 9 10 13', [
    { title: '10 - 4 = 6', status: 'expanded', children: [{ title: '6 * 4 = 24', ...leaf }] },
    { title: '13 - 9 = 4', status: 'expanded', children: [{ title: '10 - 4 = 6', ...leaf }] },
    { title: '9 + 13 = 22', status: 'unexpanded' },
    { title: '13 * 10 = 130', status: 'pruned' },
  ]);
  for (const [slug, evaluation] of Object.entries(EVALUATIONS)) change(folder, slug, { evaluation });
  change(folder, '9-13-22', { selected: false });
  change(folder, '13-10-130', { prunedBy: 'threshold' });
  change(folder, '10-4-6/6-4-24', { leafReason: 'solved', evaluation: { score: 10, confidence: 1 } });
  change(folder, '13-9-4/10-4-6', { sameAs: '10-4-6', leafReason: 'duplicate', evaluation: { score: 9 } });
  const text =
    'The steps are checked in [the cache](../../../src/cache.js#L3), not in [a secret](../../../../../etc/passwd).';
  writeFileSync(join(folder, '10-4-6/document.md'), `---\ntitle: 10 - 4 = 6\n---\n\n${text}\n`);
}

function change(folder: string, path: string, fields: object): void {
  const file = join(folder, path, 'node.json');
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...fields }, null, 2)}\n`);
}
