import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { memoryOf } from '../../../../bench/text/indexing-memory.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

describe('the memory that an index takes', () => {
  after(removeWorkspaces);

  it('is below 300 MB for a shell script, together with the process that parses it', async () => {
    assert.ok(
      existsSync(join(import.meta.dirname, '../../../../dist/quotes.cjs')),
      'it is that of what `npm run build` leaves',
    );
    const folder = makeWorkspace({ 'a.sh': '#!/bin/sh\nset -e\nhello() {\n  echo "hello"\n}\nhello\n' });
    const memory = await memoryOf(folder, join(makeWorkspace({}), 'cache'));
    assert.ok(memory > 40 && memory < 300, `${memory} MB`);
  });
});
