import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { listByGit } from '../../../../src/text/files/list-by-git.ts';

describe('a repository of somebody else', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'others-')));
  const { PATH } = process.env;
  after(() => {
    process.env['PATH'] = PATH;
    rmSync(top, { recursive: true });
  });

  it('is listed with all of its rules, which git would not tell otherwise', async () => {
    const app = join(top, 'repository/app');
    mkdirSync(join(app, 'private'), { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: join(top, 'repository') });
    writeFileSync(join(top, 'repository/.gitignore'), 'private/\n');
    appendFileSync(join(top, 'repository/.git/info/exclude'), 'notes.md\n');
    for (const file of ['queue.js', 'notes.md', 'private/diary.md']) writeFileSync(join(app, file), 'It waits.\n');
    // A git that believes that all repositories are those of others.
    const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${git} "$@"\n`;
    mkdirSync(join(top, 'bin'));
    writeFileSync(join(top, 'bin/git'), script, { mode: 0o755 });
    process.env['PATH'] = `${join(top, 'bin')}${delimiter}${PATH}`;
    assert.throws(() => execFileSync('git', ['ls-files'], { cwd: app, stdio: 'pipe' }), /dubious ownership/);
    assert.deepEqual((await listByGit(app, [], undefined))?.files, ['queue.js']);
  });
});
