import assert from 'node:assert/strict';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { thoughtsDescriptor } from '../../../../src/kinds/thoughts/descriptor.ts';
import { allowedByDefault, allowedByStart, widened, withinAllowed } from '../../../../src/searches/trust/own-search.ts';

const { options: descriptors } = thoughtsDescriptor;
const asking: SearchFile = {
  version: 1,
  kind: 'thoughts',
  title: 'T',
  prompt: 'P',
  options: { tools: true, context: true, concurrency: 200, samples: 20, beam: 7 },
};

describe('what a search may ask for', () => {
  it('is little where this user did not begin it: no tools, the usual slots and samples', () => {
    const run = withinAllowed(allowedByDefault(descriptors), asking, {});
    assert.deepEqual(run, { tools: false, context: true, concurrency: 4, options: { samples: 1 } });
    const careful = withinAllowed(allowedByDefault(descriptors, { context: false }), asking, {});
    assert.equal(careful.context, false);
  });

  it('is what this user says now, whatever search.json asks for', () => {
    const given = { tools: true, context: false, concurrency: 9, options: { samples: 3, picker: 'ranked' } };
    assert.deepEqual(withinAllowed(allowedByDefault(descriptors), asking, given), given);
  });

  it('is all that it asked for where they began it, and no more if it asks for more later', () => {
    const allowed = allowedByStart(descriptors, { ...asking, options: { concurrency: 8, samples: 3 } });
    const run = withinAllowed(allowed, asking, {});
    assert.deepEqual(run, { tools: false, context: true, concurrency: 8, options: { samples: 3 } });
    assert.deepEqual(withinAllowed(allowed, { ...asking, options: { samples: 2 } }, {}).options, { samples: 2 });
  });

  it('is what a search from before was: passages, if it says nothing, or what it says by its old options', () => {
    const before = { ...asking, options: {} };
    const run = withinAllowed(allowedByStart(descriptors, before), before, {});
    assert.deepEqual([run.context, run.tools], [true, false]);
    const blind = { ...asking, options: { context: false } };
    const { context, tools } = withinAllowed(allowedByStart(descriptors, blind), blind, {});
    assert.deepEqual([context, tools], [false, false]);
  });

  it('is less, and never more, than a folder says by one word', () => {
    const looksUp = { ...asking, options: { read: 'tools' as const } };
    const foreign = withinAllowed(allowedByDefault(descriptors), looksUp, {});
    assert.deepEqual([foreign.context, foreign.tools], [true, false]);
    const own = allowedByStart(descriptors, looksUp);
    const runs = [{}, { read: 'quotes' as const }, { read: 'nothing' as const }, { context: false }, { tools: false }];
    assert.deepEqual(
      runs.map((given) => withinAllowed(own, looksUp, given)).map((run) => [run.context, run.tools]),
      [
        [true, true],
        [true, false],
        [false, false],
        [false, false],
        [true, false],
      ],
    );
    const alone = { ...asking, options: { tools: true, context: false } };
    const still = withinAllowed(allowedByStart(descriptors, alone), alone, { context: false });
    assert.deepEqual([still.context, still.tools], [false, true], 'tools alone, as they were chosen');
    const more = withinAllowed(
      allowedByDefault(descriptors),
      { ...asking, options: { read: 'nothing' } },
      { read: 'tools' },
    );
    assert.deepEqual([more.context, more.tools], [true, true]);
  });

  it('stays allowed once it was, also after a run with less', () => {
    const allowed = allowedByStart(descriptors, asking);
    const less = withinAllowed(allowed, asking, { tools: false, context: false, concurrency: 1 });
    assert.deepEqual(widened(allowed, less), allowed);
    const more = withinAllowed(allowedByDefault(descriptors), asking, { tools: true, options: { samples: 5 } });
    assert.deepEqual(widened(allowedByDefault(descriptors), more), {
      tools: true,
      context: true,
      concurrency: 4,
      options: { samples: 5 },
    });
  });
});
