import assert from 'node:assert/strict';
import { DIR, SteeredSearch } from '../steering/steered-search.ts';

/** A state folder that cannot be made, as in a container whose user has no home. */
const NO_STATE = { XDG_STATE_HOME: '/dev/null/state', HOME: '/dev/null' };

describe('the command that continues a search where nothing can be remembered', () => {
  let search: SteeredSearch;
  beforeEach(async () => {
    search = await SteeredSearch.make();
  });
  afterEach(() => search.remove());

  it('names the models, so that it works as it is', async () => {
    const models = ['--model', 'openai-compatible/m', '--judge', 'openai-compatible/judge'];
    const first = await search.runWith(NO_STATE, 'start', 'Why?', '--size', 'small', '--max-calls', '12', ...models);
    assert.equal(first.code, 3, first.stderr);
    const [, args = ''] = /thought-tree (resume .*)$/m.exec(first.stdout) ?? [];
    assert.match(args, / --model openai-compatible\/m --judge openai-compatible\/judge --size small /);
    const again = await search.runWith(NO_STATE, ...args.split(' ').slice(0, -1), '500');
    assert.equal(again.code, 0, again.stderr);
  });

  it('does not name them where they are remembered', async () => {
    const first = await search.run('start', 'Why?', '--size', 'small', '--max-calls', '12');
    assert.equal(first.code, 3);
    assert.doesNotMatch(first.stdout, /--model/);
    assert.match(first.stdout, new RegExp(`resume ${DIR}`));
  });
});
