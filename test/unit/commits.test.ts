import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts/', import.meta.url));
const ENV = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nowhere' };
const AFTER = '2027-01-01T00:00:00Z';

/** A repository with our scripts and without our history, as a shallow clone has it. */
class Repository {
  readonly folder = temporaryFolder('commits');

  constructor() {
    mkdirSync(join(this.folder, 'scripts'));
    for (const name of ['commits.mjs', 'hooks'])
      cpSync(join(SCRIPTS, name), join(this.folder, 'scripts', name), { recursive: true });
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }');
  }

  begin(): this {
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'user.name', 'me');
    this.git('config', 'user.email', 'me@example.com');
    return this;
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, env: ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  /** What git says of a commit with this message; undefined if it was made. */
  commit(message: string, date = AFTER): string | undefined {
    const env = { ...ENV, GIT_COMMITTER_DATE: date };
    const made = spawnSync('git', ['commit', '-q', '--allow-empty', '-m', message], {
      cwd: this.folder,
      env,
      encoding: 'utf8',
    });
    return made.status === 0 ? undefined : made.stderr;
  }

  installHooks(): void {
    this.#node('--input-type=module', '-e', "import { installHooks } from './scripts/commits.mjs'; installHooks();");
  }

  check(): { status: number | null; stderr: string } {
    return this.#node('scripts/commits.mjs');
  }

  hooks(): string {
    return spawnSync('git', ['config', 'core.hooksPath'], {
      cwd: this.folder,
      env: ENV,
      encoding: 'utf8',
    }).stdout.trim();
  }

  #node(...args: string[]): { status: number | null; stderr: string } {
    return spawnSync(process.execPath, args, { cwd: this.folder, env: ENV, encoding: 'utf8' });
  }
}

describe('commits', () => {
  it('are made with a subject that says what to do, and with no other', () => {
    const repository = new Repository().begin();
    repository.installHooks();
    const good = [
      'store: keep the last line of a journal',
      'work-graph: re-read a plan',
      'core, store: count steps instead of seconds\n\nA body may say What it likes, in lines of any length: this one has more than 72 characters.',
      `a: ${'b'.repeat(69)}`,
      'fixup! store: keep it',
      "Merge branch 'store'",
      'Revert "store: keep it"',
    ];
    for (const message of good) assert.equal(repository.commit(message), undefined, message);
    const bad: [string, RegExp][] = [
      ['What is kept of a journal is said', /form `area: do this`/],
      ['Store: keep it', /form/],
      ['store: Keep it', /form/],
      ['store:keep it', /form/],
      ['store: added a line', /imperative: "added"/],
      ['store: adds a line', /imperative: "adds"/],
      ['store: adding a line', /imperative: "adding"/],
      ['store: what a line says', /imperative: "what"/],
      ['store: the line', /imperative: "the"/],
      [`a: ${'b'.repeat(70)}`, /has 73 characters; at most 72/],
      [`store: keep it\n${'and more of it '.repeat(5)}`, /characters/],
      ['Merge what belongs together', /form/],
    ];
    for (const [message, said] of bad) assert.match(repository.commit(message) ?? 'was made', said, message);
  });

  it('are checked from the day of the rule, where the history before it is missing', () => {
    const repository = new Repository().begin();
    repository.commit('What was before', '2026-11-01T00:00:00Z');
    repository.commit('store: keep it');
    assert.deepEqual(repository.check().status, 0);
    repository.commit('Whatever I like');
    assert.equal(repository.check().status, 1);
    assert.match(repository.check().stderr, /^[0-9a-f]+ "Whatever I like" is not of the form/);
  });

  it('are not asked for where there is no repository', () => {
    const repository = new Repository();
    repository.installHooks();
    assert.equal(repository.check().status, 0);
  });

  it('are somebody else’s where we are a folder of another repository', () => {
    const outer = new Repository().begin();
    outer.commit('Whatever I like');
    const inner = join(outer.folder, 'inner');
    cpSync(SCRIPTS, join(inner, 'scripts'), { recursive: true });
    const script = "import { installHooks } from './scripts/commits.mjs'; installHooks();";
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: inner, env: ENV });
    assert.equal(outer.hooks(), '');
    assert.equal(spawnSync(process.execPath, ['scripts/commits.mjs'], { cwd: inner, env: ENV }).status, 0);
  });

  it('keep the hooks that somebody else set', () => {
    const configured = new Repository().begin();
    configured.git('config', 'core.hooksPath', '/their/hooks');
    configured.installHooks();
    assert.equal(configured.hooks(), '/their/hooks');
    const inFolder = new Repository().begin();
    mkdirSync(join(inFolder.folder, '.git/hooks'), { recursive: true });
    writeFileSync(join(inFolder.folder, '.git/hooks/pre-push'), '#!/bin/sh\n');
    inFolder.installHooks();
    assert.equal(inFolder.hooks(), '');
  });
});
