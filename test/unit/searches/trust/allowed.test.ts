import assert from 'node:assert/strict';
import type { SearchFile } from '../../../../src/core/search/search-file.ts';
import { thoughtsFace } from '../../../../src/kinds/thoughts/face.ts';
import { allowedByDefault, allowedByStart, widened, withinAllowed } from '../../../../src/searches/trust/allowed.ts';

const { options: faces } = thoughtsFace;
const asking: SearchFile = {
  version: 1,
  kind: 'thoughts',
  title: 'T',
  prompt: 'P',
  options: { tools: true, context: true, concurrency: 200, samples: 20, beam: 7 },
};

describe('what a search may ask for', () => {
  it('is little where this user did not begin it: no tools, the usual slots and samples', () => {
    const run = withinAllowed(allowedByDefault(faces), asking, {});
    assert.deepEqual(run, { tools: false, context: true, concurrency: 4, options: { samples: 1 } });
    const careful = withinAllowed(allowedByDefault(faces, { context: false }), asking, {});
    assert.equal(careful.context, false);
  });

  it('is what this user says now, whatever search.json asks for', () => {
    const given = { tools: true, context: false, concurrency: 9, options: { samples: 3, picker: 'ranked' } };
    assert.deepEqual(withinAllowed(allowedByDefault(faces), asking, given), given);
  });

  it('is all that it asked for where they began it, and no more if it asks for more later', () => {
    const allowed = allowedByStart(faces, { ...asking, options: { concurrency: 8, samples: 3 } });
    const run = withinAllowed(allowed, asking, {});
    assert.deepEqual(run, { tools: false, context: true, concurrency: 8, options: { samples: 3 } });
    assert.deepEqual(withinAllowed(allowed, { ...asking, options: { samples: 2 } }, {}).options, { samples: 2 });
  });

  it('stays allowed once it was, also after a run with less', () => {
    const allowed = allowedByStart(faces, asking);
    const less = withinAllowed(allowed, asking, { tools: false, context: false, concurrency: 1 });
    assert.deepEqual(widened(allowed, less), allowed);
    const more = withinAllowed(allowedByDefault(faces), asking, { tools: true, options: { samples: 5 } });
    assert.deepEqual(widened(allowedByDefault(faces), more), {
      tools: true,
      context: true,
      concurrency: 4,
      options: { samples: 5 },
    });
  });
});
