import assert from 'node:assert/strict';
import { type Looking, lookAt } from '../../../../../src/kinds/work-graph/evidence/check-work.ts';

describe('a check of files', () => {
  const paths = ['src/forbidden.txt'];
  const search = { workshop: { pathsAt: async () => paths }, show: ({ key }: { key: string }) => key };
  const looking = { search, commit: '1234567' } as unknown as Looking;

  it('says whether one matches', async () => {
    assert.equal((await lookAt(looking, 'x', { file: 'src/*.txt' })).word, 'verified');
    assert.equal((await lookAt(looking, 'x', { not_file: 'src/*.txt' })).word, 'contradicted');
  });

  it('cannot be checked where its pattern is too intricate, instead of matching nothing', async () => {
    const glob = `src/${'{f,g}'.repeat(7)}*`;
    assert.equal((await lookAt(looking, 'x', { not_file: glob })).word, 'uncheckable');
    assert.equal((await lookAt(looking, 'x', { file: glob })).word, 'uncheckable');
  });
});
