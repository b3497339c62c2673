import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walk } from '../../../../src/core/tree/tree.ts';
import { leadsIn } from '../../../../src/kinds/investigation/run/read-investigation.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';

const FOLDER = fileURLToPath(new URL('../../../../doc/example', import.meta.url));

describe('the example of an investigation', () => {
  it('can be read; something is quoted, and nothing is called verified', async () => {
    const { tree, problems } = await overviewOf(KINDS, FOLDER);
    assert.deepEqual(problems, []);
    const outcomes = leadsIn(tree).map(({ own }) => own.outcome);
    assert.ok(outcomes.filter((each) => each === 'quoted').length >= 3, outcomes.join());
    assert.deepEqual(
      outcomes.filter((each) => each !== 'quoted' && each !== 'nothing' && each !== 'open'),
      [],
    );
    const documents = [...walk(tree.root)].filter(({ citations }) => (citations?.verified ?? 0) > 0);
    assert.ok(documents.length >= outcomes.length - 1);
  });

  it('has a report that leads to what was found', async () => {
    const report = await readFile(join(FOLDER, 'report.md'), 'utf8');
    const links = [...report.matchAll(/\]\(([^)]+\/document\.md)\)/g)].map(([, link]) => link as string);
    assert.ok(links.length >= 10);
    assert.match(report, /## Quoted\n\n- /);
    assert.doesNotMatch(report, /\bverified|confirmed/i);
    assert.deepEqual(
      links.filter((link) => !existsSync(join(FOLDER, decodeURI(link)))),
      [],
    );
  });
});
