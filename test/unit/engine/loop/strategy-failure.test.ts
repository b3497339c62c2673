import assert from 'node:assert/strict';
import { Research } from '../../../../src/kinds/research/strategy.ts';
import { simulate } from '../../../support/searches/simulated-search.ts';

const { ask, tell } = Research.prototype;

describe('a strategy that fails', () => {
  afterEach(() => Object.assign(Research.prototype, { ask, tell }));

  for (const name of ['ask', 'tell'] as const)
    it(`pauses the search if \`${name}\` throws, with what was begun completed`, async () => {
      let calls = 0;
      const { run, search } = await simulate({ search: { limits: { size: 'small' } } });
      const real = { ask, tell }[name] as (...args: unknown[]) => unknown;
      Object.assign(Research.prototype, {
        [name](this: Research, ...args: unknown[]) {
          if (++calls >= 3) throw new TypeError('Map.groupBy is not a function');
          return real.apply(this, args);
        },
      });
      const outcome = await run();
      assert.equal(outcome.state, 'paused');
      assert.match('message' in outcome ? outcome.message : '', /Map\.groupBy is not a function/);
      assert.equal(search.tree.counts['in-progress'], 0);
      Object.assign(Research.prototype, { ask, tell });
      await search.close();
    });
});
