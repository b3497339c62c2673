import assert from 'node:assert/strict';
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { StateFolder, statePath } from '../../../../src/searches/trust/state-folder.ts';
import { newFolder, removeFolders } from '../../store/support/places.ts';

describe("the user's own state folder", () => {
  afterEach(removeFolders);

  it('is where programs of the platform keep their state, and never below the folder one happens to be in', () => {
    assert.equal(statePath({ XDG_STATE_HOME: '/state' }, 'linux'), join('/state', 'thought-tree'));
    assert.equal(statePath({ XDG_STATE_HOME: 'state' }, 'linux'), join(homedir(), '.local', 'state', 'thought-tree'));
    assert.equal(statePath({}, 'darwin'), join(homedir(), 'Library', 'Application Support', 'thought-tree'));
    assert.equal(statePath({ LOCALAPPDATA: '/local' }, 'win32'), join('/local', 'thought-tree'));
  });

  it('is nowhere for a user without a home, or with one in the folder one happens to be in', () => {
    const noHome = (): string => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    for (const home of [noHome, () => '', () => 'home'])
      for (const platform of ['linux', 'darwin', 'win32'] as const)
        assert.equal(statePath({}, platform, home), undefined);
    assert.equal(statePath({ XDG_STATE_HOME: '/state' }, 'linux', noHome), join('/state', 'thought-tree'));
  });

  it('is readable and writable by nobody else', async () => {
    const path = join(await newFolder(), 'a', 'state');
    const state = StateFolder.open(path);
    assert.ok(state);
    assert.ok(state.write('searches/x.json', '{}'));
    assert.equal(state.read('searches/x.json'), '{}');
    if (process.platform === 'win32') return;
    const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;
    assert.equal(await modeOf(path), 0o700);
    assert.equal(await modeOf(join(path, 'searches', 'x.json')), 0o600);
    await chmod(path, 0o777);
    assert.ok(StateFolder.open(path));
    assert.equal(await modeOf(path), 0o700);
  });

  it('is not used where it cannot be made, or is a link or a file', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'link'));
    assert.equal(StateFolder.open(join(folder, 'file')), undefined);
    assert.equal(StateFolder.open(join(folder, 'file', 'below')), undefined);
    assert.equal(StateFolder.open(join(folder, 'link')), undefined);
  });
});
