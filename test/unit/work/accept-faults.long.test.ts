import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Disk } from '../../../src/store/files/replace-file.ts';
import { thisProcess } from '../../../src/store/lease/process-identity.ts';
import { Acceptance } from '../../../src/work/accept/acceptance.ts';
import { Line } from '../../../src/work/accept/line.ts';
import { GitRepository } from '../../../src/work/git/git-repository.ts';
import { GitStore } from '../../../src/work/git/git-store.ts';
import { findGit, gitRunner } from '../../../src/work/git/run-git.ts';
import { readUserRepository, type UserRepository } from '../../../src/work/git/user-repository.ts';
import { forEverySeed, someOf, someUpTo } from '../../support/effort.ts';
import { ORDERS, PowerCuts, WAYS } from '../../support/power/power-cuts.ts';
import { seededRandom } from '../../support/virtual-clock.ts';
import { type Fate, killedAt, TracedFolder, tracedDisk } from '../../support/work/traced-disk.ts';
import { never, stateOf, WorkPlace } from '../../support/work/work-place.ts';

/** A process that is gone: its id is higher than any. */
const GONE = { ...thisProcess(), pid: 2 ** 30 };

/** A workspace, and work on it that nobody has accepted yet. */
class Work {
  readonly place: WorkPlace;
  readonly name: string;
  readonly #store: GitStore;

  private constructor(place: WorkPlace, name: string, store: GitStore) {
    this.place = place;
    this.name = name;
    this.#store = store;
  }

  static async on(place: WorkPlace, change: (folder: string) => void, name = 'search'): Promise<Work> {
    const program = await findGit(place.workspace, process.env['PATH'] ?? '');
    assert.ok(program);
    const git = gitRunner(program);
    const folder = join(place.state, 'work', name);
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(place.state, 'accepting'), { recursive: true });
    const own = new GitRepository(git, join(folder, 'store.git'));
    await own.open('sha1');
    const source = { workspace: place.workspace, ownFolder: `thought-trees/${name}`, isSecret: () => false };
    const user = async (): Promise<UserRepository> =>
      (await readUserRepository(git, place.workspace)) as UserRepository;
    const store = new GitStore(own, source, user);
    const start = await store.first(true, never);
    const checkout = join(place.root, `checkout-${name}`);
    mkdirSync(checkout);
    await store.write(start, checkout);
    change(checkout);
    const tip = (await store.take(checkout, start, 'work')) ?? start;
    await (await Line.open(folder)).begin({ version: 1, start, tip });
    return new Work(place, name, store);
  }

  get #folder(): string {
    return join(this.place.state, 'work', this.name);
  }

  async acceptance(system: { readonly disk?: Disk; readonly me?: typeof GONE } = {}): Promise<Acceptance> {
    const { workspace, state } = this.place;
    const line = await Line.open(this.#folder, system.disk);
    const parts = { workspace, ownFolder: `thought-trees/${this.name}`, work: this.#folder, store: this.#store, line };
    return new Acceptance({ ...parts, locks: join(state, 'accepting'), ...system });
  }

  async bring(isBack = false, fate?: Fate): Promise<number> {
    const acceptance = await this.acceptance(fate && { disk: tracedDisk(fate) });
    return (await acceptance.bring(isBack, never)).changed;
  }

  /** Begins, and is killed before one of its changes. @returns false if it had none left */
  async kill(change: number, isBack = false): Promise<boolean> {
    const { fate, killed } = killedAt(change);
    const acceptance = await this.acceptance({ disk: tracedDisk(fate), me: GONE });
    return (await Promise.race([killed, acceptance.bring(isBack, never)])) === 'killed';
  }

  async isHalf(): Promise<boolean> {
    return (await Line.open(this.#folder)).now?.accepting !== undefined;
  }

  /** Nothing of an acceptance is left but its result. */
  async assertClean(about: string): Promise<void> {
    assert.deepEqual(stagesIn(this.place), [], about);
    const locks = join(this.place.state, 'accepting');
    // What a power cut tore, also in the middle, may be just being written: it goes once it is old.
    const whole = readdirSync(locks).filter((name) => /^[^\0]*\}\n$/.test(readFileSync(join(locks, name), 'utf8')));
    assert.deepEqual(whole, [], about);
    assert.equal(await this.isHalf(), false, about);
  }
}

function stagesIn({ workspace }: WorkPlace): string[] {
  return readdirSync(workspace).filter((name) => name.startsWith('.thought-tree-accept-'));
}

/** All files but git's and those that an acceptance keeps, with their bytes, kinds and rights. */
function filesIn({ workspace }: WorkPlace): Record<string, string> {
  const state = stateOf(workspace, (path) => path === '.git' || path.startsWith('.thought-tree-accept-'));
  const same = (told: string): string =>
    told
      .split(' ')
      .filter((_, i) => i < 2 || i === 4)
      .join(' ');
  return Object.fromEntries(Object.entries(state).map(([path, told]) => [path, same(told)]));
}

const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 3\n`;

/** A person's files of every sort. */
function sample(): WorkPlace {
  const place = new WorkPlace();
  const files = { 'a.txt': 'one\ntwo\n', 'crlf.txt': 'one\ntwo\n', 'gone.txt': 'gone\n', 'run.sh': '#!/bin/sh\n' };
  const folders = { 'deep/er/gone.txt': 'x\n', 'file-to-folder': 'f\n', 'folder-to-file/x': 'x\n', 'same.txt': 's\n' };
  place.commit({ ...files, ...folders, '.gitignore': 'out/\n' });
  place.write({ 'crlf.txt': 'one\r\ntwo\r\n', 'untracked.txt': 'mine\n' });
  chmodSync(join(place.workspace, 'gone.txt'), 0o600);
  symlinkSync('a.txt', join(place.workspace, 'link'));
  return place;
}

function change(folder: string): void {
  const at = (path: string): string => join(folder, path);
  for (const path of ['gone.txt', 'deep', 'file-to-folder', 'folder-to-file', 'link'])
    rmSync(at(path), { recursive: true });
  for (const [path, text] of [
    ['a.txt', 'two\n'],
    ['crlf.txt', 'one\n2\n'],
    ['untracked.txt', 'ours\n'],
    ['new/folder/b.txt', 'b\n'],
    ['file-to-folder/x', 'x\n'],
    ['folder-to-file', 'f\n'],
  ] as const) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  chmodSync(at('run.sh'), 0o755);
  symlinkSync('run.sh', at('link'));
}

/** How many changes an acceptance makes. */
async function changesOf(work: Work, isBack = false): Promise<number> {
  let most = 0;
  await work.bring(isBack, (number) => {
    most = number;
  });
  return most;
}

describe('accepting', () => {
  it('is taken back to the byte, with rights, line ends, and what no commit has', async () => {
    const place = sample();
    const before = filesIn(place);
    const work = await Work.on(place, change);
    const { changed, replaced, lost } = await (await work.acceptance()).bring(false, never);
    assert.equal(changed, 12);
    assert.equal(replaced.length, 9);
    assert.deepEqual(lost, ['link', 'untracked.txt'], 'what was never committed');
    const after = filesIn(place);
    assert.notDeepEqual(after, before);
    assert.equal(readFileSync(join(place.workspace, 'crlf.txt'), 'utf8'), 'one\r\n2\r\n');
    assert.equal(await work.bring(), 0, 'nothing is left to do');
    await work.bring(true);
    assert.deepEqual(filesIn(place), before);
    assert.equal(await work.bring(true), 0);
    await work.bring();
    assert.deepEqual(filesIn(place), after);
    await work.assertClean('in the end');
  });

  it('takes back the file that was there for a pointer', async () => {
    const place = new WorkPlace();
    place.commit({
      'big.bin': LFS.replace('a'.repeat(64), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
    });
    place.write({ 'big.bin': 'abc' });
    place.git('update-index', '--assume-unchanged', 'big.bin');
    const work = await Work.on(place, (folder) => rmSync(join(folder, 'big.bin')));
    const before = filesIn(place);
    assert.equal(await work.bring(), 1);
    assert.ok(!existsSync(join(place.workspace, 'big.bin')));
    await work.bring(true);
    assert.deepEqual(filesIn(place), before);
  });

  it('refuses to take back what the person changed since, and changes nothing', async () => {
    const place = sample();
    const work = await Work.on(place, change);
    await work.bring();
    writeFileSync(join(place.workspace, 'a.txt'), 'mine now\n');
    const now = filesIn(place);
    await assert.rejects(work.bring(true), { reason: 'edited', message: /a\.txt/ });
    assert.deepEqual(filesIn(place), now);
    await work.assertClean('after a refusal');
  });

  it('that is killed at any moment is known, and done or undone by the next', async () => {
    const place = sample();
    const before = filesIn(place);
    const work = await Work.on(place, change);
    const most = await changesOf(work);
    const after = filesIn(place);
    const mostBack = await changesOf(work, true);
    for (const at of someUpTo(most, 6))
      for (const isBack of [false, true]) {
        assert.ok(await work.kill(at));
        const half = filesIn(place);
        if (!(await work.isHalf()))
          assert.ok(
            [before, after].some((each) => same(each, half)),
            `half done unseen at ${at}`,
          );
        await work.bring(isBack);
        assert.deepEqual(filesIn(place), isBack ? before : after, `killed at ${at}`);
        await work.assertClean(`killed at ${at}`);
        if (!isBack) await work.bring(true);
      }
    for (const at of someUpTo(mostBack, 4)) {
      await work.bring();
      await work.kill(at, true);
      await work.kill(Math.ceil(at / 2)); // and the one that was to mend that
      await work.bring(true);
      assert.deepEqual(filesIn(place), before, `undoing was killed at ${at}`);
      await work.assertClean(`undoing was killed at ${at}`);
    }
  });

  it('whose disk fails at any moment puts everything back, or names what it could not, and keeps that', async () => {
    const place = sample();
    const before = filesIn(place);
    const work = await Work.on(place, change);
    const most = await changesOf(work);
    const after = filesIn(place);
    await work.bring(true);
    const fails =
      (isMeant: (number: number) => boolean): Fate =>
      (number, call) => {
        if (isMeant(number) && !['flush', 'removeFolder'].includes(call)) throw new Error('EIO: the disk is broken');
      };
    let kept = 0;
    for (const at of someUpTo(most, 6)) {
      const once = await work
        .bring(
          false,
          fails((number) => number === at),
        )
        .then(
          () => undefined,
          (error: Error) => error,
        );
      if (once) assert.deepEqual(filesIn(place), before, `failed at ${at}: ${once.message}`);
      await work.bring(true);
      assert.deepEqual(filesIn(place), before);
      const all = await work
        .bring(false, (number, call, args) => {
          // From here on nothing of the person's can be written, but our own state can.
          if (!String(args.at(-1)).startsWith(place.state) && !String(args[0]).startsWith(place.state))
            return fails((each) => each >= at)(number, call, args);
          return undefined;
        })
        .then(
          () => undefined,
          (error: Error) => error,
        );
      const [left] = stagesIn(place);
      const now = filesIn(place);
      if (!same(now, before) && !same(now, after)) {
        kept++;
        assert.ok(left !== undefined && all?.message.includes(left), `unnamed at ${at}: ${all?.message}`);
        assert.equal(await work.isHalf(), true);
      } else if (all && same(now, before)) assert.match(all.message, /as they were before|EIO/);
      await work.bring(true);
      assert.deepEqual(filesIn(place), before, `broken from ${at} on`);
      await work.assertClean(`broken from ${at} on`);
    }
    assert.ok(kept > 0);
  });

  it('whose disk is full gives back the room that it took, and leaves nothing behind', async () => {
    const place = sample();
    const [before, work] = [filesIn(place), await Work.on(place, change)];
    let isFull = false;
    const fillsUp = (isForGood: boolean) => (_number: number, call: string) => {
      const staged = stagesIn(place).flatMap((stage) => readdirSync(join(place.workspace, stage)));
      isFull = staged.includes('new-1') || (isFull && (isForGood || staged.length > 0));
      if (isFull && call === 'write') throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    };
    await assert.rejects(work.bring(false, fillsUp(false)), { message: /as they were before: ENOSPC/ });
    await work.assertClean('once there is room again');
    await assert.rejects(work.bring(false, fillsUp(true)), { reason: 'disk-full' });
    assert.deepEqual([filesIn(place), stagesIn(place)], [before, []]);
    await work.bring();
    await work.assertClean('in the end');
  });

  it('leaves alone what the person saves meanwhile', async () => {
    const place = sample();
    const before = filesIn(place);
    const work = await Work.on(place, change);
    let isSaved = false;
    const saves: Fate = (_number, call) => {
      if (call !== 'rename' && call !== 'unlink') return;
      if (stagesIn(place).length > 0 && !isSaved) {
        isSaved = true;
        writeFileSync(join(place.workspace, 'run.sh'), 'saved meanwhile\n');
      }
    };
    await assert.rejects(work.bring(false, saves), { reason: /edited|not-writable/, message: /run\.sh/ });
    const now = filesIn(place);
    assert.equal(readFileSync(join(place.workspace, 'run.sh'), 'utf8'), 'saved meanwhile\n');
    assert.deepEqual({ ...now, 'run.sh': '' }, { ...before, 'run.sh': '' });
  });

  it('survives a loss of power at any moment', async () => {
    const place = sample();
    const before = filesIn(place);
    const work = await Work.on(place, change);
    const isLeftOut = (path: string): boolean =>
      /^(workspace\/\.git|state\/work\/search\/store\.git|checkout-search)(\/|$)/.test(path);
    const traced = new TracedFolder(place.root, isLeftOut);
    await (await work.acceptance({ disk: traced.disk, me: GONE })).bring(false, never);
    const after = filesIn(place);
    const random = seededRandom(1);
    const moments = traced.log.changes.length;
    const cuts = new PowerCuts(traced.log);
    const wanted = new Set(someUpTo(moments, 5));
    while (cuts.next()) {
      if (!wanted.has(cuts.at)) continue;
      for (const [way, order] of someOf(
        WAYS.flatMap((each) => ORDERS.map((other) => [each, other] as const)),
        2,
      )) {
        const about = `${way}, ${order}, cut after ${cuts.at} of ${moments}`;
        traced.restore(cuts.left(way, order, () => random.next()));
        const now = filesIn(place);
        if (!same(now, before) && !same(now, after)) assert.equal(await work.isHalf(), true, about);
        const isBack = random.next() < 0.5;
        await work.bring(isBack);
        assert.deepEqual(filesIn(place), isBack ? before : after, about);
        await work.assertClean(about);
      }
    }
    const all = new PowerCuts(traced.log);
    while (all.next());
    traced.restore(all.left('nothing', 'unordered', () => 0));
    assert.deepEqual(filesIn(place), after, 'what counts as accepted is on the disk itself');
    assert.equal(await work.isHalf(), false);
  });

  it('goes on where an earlier one left files that are empty', async () => {
    const place = sample();
    const work = await Work.on(place, change);
    await work.kill(30);
    writeFileSync(join(place.workspace, 'a.txt'), '');
    mkdirSync(join(place.workspace, 'new/folder'), { recursive: true });
    writeFileSync(join(place.workspace, 'new/folder/b.txt'), '');
    assert.equal(await work.isHalf(), true);
    await work.bring();
    assert.equal(readFileSync(join(place.workspace, 'new/folder/b.txt'), 'utf8'), 'b\n');
    assert.equal(readFileSync(join(place.workspace, 'a.txt'), 'utf8'), 'two\n');
    await work.assertClean('in the end');
  });
});

describe('two acceptances in one workspace', () => {
  const two = async () => {
    const place = sample();
    const one = await Work.on(place, (folder) => writeFileSync(join(folder, 'a.txt'), 'by one\n'), 'one');
    const other = await Work.on(place, (folder) => writeFileSync(join(folder, 'same.txt'), 'by other\n'), 'other');
    return { place, one, other, read: (path: string) => readFileSync(join(place.workspace, path), 'utf8') };
  };

  it('wait for one another', async () => {
    const { place, one, other, read } = await two();
    const { promise: isInside, resolve: inside } = Promise.withResolvers<void>();
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    const first = one.bring(false, async (_number, call) => {
      if (call !== 'rename' || stagesIn(place).length === 0) return;
      inside();
      await mayGo;
    });
    await isInside;
    const before = filesIn(place);
    await assert.rejects(other.bring(), { reason: 'held', message: /thought-trees\/one .* process/ });
    assert.deepEqual(filesIn(place), before);
    assert.equal(stagesIn(place).length, 1, 'what the first one keeps is still there');
    go();
    await first;
    await other.bring();
    assert.deepEqual([read('a.txt'), read('same.txt')], ['by one\n', 'by other\n']);
    await one.bring(true);
    assert.deepEqual([read('a.txt'), read('same.txt')], ['one\ntwo\n', 'by other\n']);
  });

  it('that begin at once are never both inside', async () => {
    const { place, one, other } = await two();
    await forEverySeed(20, async () => {
      let inside = 0;
      const alone = async (work: Work): Promise<void> => {
        let isIn = false;
        await work.bring(false, (_number, call) => {
          if (call === 'makeFolder' && !isIn) {
            isIn = true;
            assert.equal(++inside, 1);
          }
        });
        if (isIn) inside--;
      };
      const ends = await Promise.allSettled([alone(one), alone(other)]);
      for (const end of ends)
        if (end.status === 'rejected')
          assert.equal((end.reason as { reason?: string }).reason, 'held', String(end.reason));
      for (const work of [one, other]) await work.bring(true);
      assert.deepEqual(stagesIn(place), []);
    });
  });

  it('leave what was interrupted to the search that it belongs to', async () => {
    const { place, one, other, read } = await two();
    const most = await changesOf(one);
    await one.bring(true);
    let refused = 0;
    for (const at of someUpTo(most - 4, 4)) {
      await one.kill(at);
      if (await one.isHalf()) {
        refused++;
        const stages = stagesIn(place);
        await assert.rejects(other.bring(), { reason: 'held', message: /trees\/one.*interrupted.*undo accepting/ });
        assert.deepEqual(stagesIn(place), stages);
      }
      await one.bring(true);
      assert.equal(read('a.txt'), 'one\ntwo\n');
      await other.bring();
      await other.bring(true);
    }
    assert.ok(refused > 0);
  });
});

describe('a hundred random acceptances', () => {
  it('leave every file as before or as accepted, however they end', async () => {
    await forEverySeed(100, async (seed) => {
      const random = seededRandom(seed);
      const pick = (count: number): number => Math.floor(random.next() * count);
      const path = (): string => Array.from({ length: 1 + pick(3) }, () => 'abc'[pick(3)]).join('/');
      const text = (): string => Array.from({ length: pick(4) }, () => `${pick(5)}\n`).join('');
      const put = (folder: string, name: string, content: string): void => {
        for (let above = dirname(name); above !== '.'; above = dirname(above))
          if (existsSync(join(folder, above)) && stateOf(folder)[above]?.startsWith('file'))
            rmSync(join(folder, above));
        rmSync(join(folder, name), { recursive: true, force: true });
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), content, { mode: pick(4) === 0 ? 0o755 : 0o644 });
      };
      const place = new WorkPlace();
      place.commit({ keep: 'k\n' });
      for (let i = 0; i < 6; i++) put(place.workspace, path(), text());
      place.git('add', '-A');
      if (pick(2)) place.git('commit', '-qm', 'more', '--allow-empty');
      const before = filesIn(place);
      const work = await Work.on(place, (folder) => {
        for (let i = 0; i < 5; i++)
          if (pick(3) === 0) rmSync(join(folder, path()), { recursive: true, force: true });
          else put(folder, path(), text());
      });
      await work.bring();
      const after = filesIn(place);
      await work.bring(true);
      assert.deepEqual(filesIn(place), withoutEmptied(before, filesIn(place)));
      for (let turn = 0; turn < 4; turn++) {
        const isBack = pick(2) === 1;
        if (await work.kill(1 + pick(60), isBack)) await work.bring(isBack !== (pick(3) === 0));
        const now = filesIn(place);
        assert.ok(same(now, after) || same(now, withoutEmptied(before, now)), `turn ${turn}`);
        await work.assertClean(`turn ${turn}`);
      }
      await work.bring(true);
      assert.deepEqual(filesIn(place), withoutEmptied(before, filesIn(place)));
    });
  });
});

/** Git knows no folders: an empty one may have gone with its last file. */
function withoutEmptied(before: Record<string, string>, now: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(before).filter(([path, told]) => path in now || !told.startsWith('folder')));
}

function same(one: Record<string, string>, other: Record<string, string>): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}
