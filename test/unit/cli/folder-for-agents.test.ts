import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { folderForAgents } from '../../../src/cli/options/options.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the folder that agents keep searches in', () => {
  it('is that of the workspace, unless it is a link to elsewhere that nobody named', async () => {
    const workspace = temporaryFolder('agents');
    const folder = join(workspace, 'thought-trees');
    assert.equal(folderForAgents(workspace, undefined), folder);
    const elsewhere = temporaryFolder('elsewhere');
    await mkdir(join(elsewhere, 'private'));
    await symlink(join(elsewhere, 'private'), folder);
    assert.throws(() => folderForAgents(workspace, undefined), /is a link to another folder.*--folder/);
    assert.equal(folderForAgents(workspace, folder), folder);
  });
});
