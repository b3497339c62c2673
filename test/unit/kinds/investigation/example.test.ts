import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walk } from '../../../../src/core/tree/tree.ts';
import { whyNotEnd } from '../../../../src/kinds/investigation/protocol/ending.ts';
import { investigationIn } from '../../../../src/kinds/investigation/run/read-investigation.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { overviewOf } from '../../../../src/searches/reader/search-overview.ts';

const FOLDER = fileURLToPath(new URL('../../../../doc/example', import.meta.url));

describe('the example of an investigation', () => {
  it('can be read, and has ended by the rules', async () => {
    const { file, tree, record, problems } = await overviewOf(KINDS, FOLDER);
    assert.deepEqual(problems, []);
    const at = investigationIn(file, tree, record);
    assert.equal(whyNotEnd(at), undefined);
    assert.ok(at.currentRound >= 5 && at.nodes.size > 30);
    const documents = [...walk(tree.root)].filter(({ citations }) => (citations?.verified ?? 0) > 0);
    assert.ok(documents.length > 30);
  });

  it('has a report that leads to what was found', async () => {
    const report = await readFile(join(FOLDER, 'report.md'), 'utf8');
    const links = [...report.matchAll(/\]\(([^)]+\/document\.md)\)/g)].map(([, link]) => link as string);
    assert.ok(links.length > 10);
    assert.deepEqual(
      links.filter((link) => !existsSync(join(FOLDER, decodeURI(link)))),
      [],
    );
  });
});
