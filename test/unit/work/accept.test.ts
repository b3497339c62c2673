import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { someOf } from '../../support/effort.ts';
import { landed, never, stateOf, WorkPlace } from '../../support/work/work-place.ts';

describe('accepted work', () => {
  const make = (): WorkPlace => {
    const place = new WorkPlace();
    place.commit({
      'a.txt': 'one\n',
      'gone.txt': 'gone\n',
      'deep/er/gone.txt': 'x\n',
      'run.sh': '#!/bin/sh\n',
      'file-to-folder': 'f\n',
      'folder-to-file/x': 'x\n',
      'untouched.txt': 'u\n',
    });
    return place;
  };
  const work = (folder: string): void => {
    const at = (path: string): string => join(folder, path);
    writeFileSync(at('a.txt'), 'two\n');
    for (const path of ['gone.txt', 'deep', 'file-to-folder', 'folder-to-file']) rmSync(at(path), { recursive: true });
    mkdirSync(at('new/folder'), { recursive: true });
    writeFileSync(at('new/folder/b.txt'), 'b\n');
    chmodSync(at('run.sh'), 0o755);
    mkdirSync(at('file-to-folder'));
    writeFileSync(at('file-to-folder/x'), 'x\n');
    writeFileSync(at('folder-to-file'), 'f\n');
    symlinkSync('a.txt', at('link'));
  };

  it('comes into the files, and nothing else does', async () => {
    const place = make();
    chmodSync(join(place.workspace, 'a.txt'), 0o640);
    const workshop = await place.begun();
    const before = stateOf(place.workspace);
    const commit = await landed(workshop, 'A1', work);
    assert.deepEqual(stateOf(place.workspace), before, 'nothing before it is accepted');
    const accepted = await workshop.accept(never);
    assert.equal(accepted.commit, commit);
    const changes = Object.fromEntries(accepted.files.map(({ path, change }) => [path, change]));
    assert.deepEqual(changes, {
      'a.txt': 'changed',
      'deep/er/gone.txt': 'deleted',
      'file-to-folder': 'deleted',
      'file-to-folder/x': 'added',
      'folder-to-file': 'added',
      'folder-to-file/x': 'deleted',
      'gone.txt': 'deleted',
      link: 'added',
      'new/folder/b.txt': 'added',
      'run.sh': 'changed',
    });
    assert.equal(place.read('a.txt'), 'two\n');
    assert.equal(lstatSync(join(place.workspace, 'a.txt')).mode & 0o777, 0o640, 'the rights are the person’s');
    assert.equal(lstatSync(join(place.workspace, 'run.sh')).mode & 0o100, 0o100);
    assert.equal(readlinkSync(join(place.workspace, 'link')), 'a.txt');
    assert.deepEqual(readdirSync(place.workspace).sort(), [
      ...['.git', 'a.txt', 'file-to-folder', 'folder-to-file', 'link', 'new', 'run.sh', 'untouched.txt'],
    ]);
    const after = stateOf(place.workspace);
    await workshop.accept(never);
    assert.deepEqual(stateOf(place.workspace), after, 'once more changes nothing');
    await landed(workshop, 'A2', (folder) => writeFileSync(join(folder, 'a.txt'), 'three\n'));
    await workshop.accept(never);
    assert.equal(place.read('a.txt'), 'three\n', 'what was accepted before is no change of the person');
    await landed(workshop, 'A3', (folder) => writeFileSync(join(folder, 'a.txt'), 'one\n'));
    await workshop.accept(never);
    assert.equal(place.read('a.txt'), 'one\n', 'and may go back to the start');
  });

  it('leaves the person, when it is taken back, what they had made just like it', async () => {
    const place = make();
    const workshop = await place.begun();
    await landed(workshop, 'A1', work);
    place.write({ 'a.txt': 'two\n', 'new/folder/b.txt': 'b\n' });
    const takeBack = async (): Promise<void> => {
      await workshop.undoAccept(never);
      assert.deepEqual([place.read('a.txt'), place.read('new/folder/b.txt')], ['two\n', 'b\n']);
      assert.equal(place.read('file-to-folder'), 'f\n');
    };
    await workshop.accept(never);
    assert.equal(place.read('file-to-folder/x'), 'x\n');
    await takeBack();
    await workshop.accept(never);
    await landed(workshop, 'A2', (folder) => writeFileSync(join(folder, 'a.txt'), 'three\n'));
    await workshop.accept(never);
    assert.equal(place.read('a.txt'), 'three\n');
    await takeBack();
  });

  it('leaves the person a file that is named like a member of every object', async () => {
    const place = make();
    const workshop = await place.begun();
    const names = ['constructor', 'toString'];
    await landed(workshop, 'A1', (folder) => {
      for (const name of [...names, 'more.txt']) writeFileSync(join(folder, name), 'x\n');
    });
    place.write(Object.fromEntries(names.map((name) => [name, 'x\n'])));
    const before = stateOf(place.workspace);
    await workshop.accept(never);
    await workshop.undoAccept(never);
    assert.deepEqual(stateOf(place.workspace), before);
  });

  it('leaves it to them where they had made all of it', async () => {
    const place = make();
    const workshop = await place.begun();
    await landed(workshop, 'A1', (folder) => writeFileSync(join(folder, 'b.txt'), 'b\n'));
    place.write({ 'b.txt': 'b\n' });
    const before = stateOf(place.workspace);
    assert.equal((await workshop.accept(never)).changed, 0);
    assert.equal((await workshop.undoAccept(never)).changed, 0);
    assert.deepEqual(stateOf(place.workspace), before);
  });

  it('stops at any file that the person changed, and changes nothing', async () => {
    const person: Record<string, (path: (name: string) => string) => void> = {
      'a.txt': (path) => writeFileSync(path('a.txt'), 'mine\n'),
      'gone.txt': (path) => writeFileSync(path('gone.txt'), 'mine\n'),
      link: (path) => writeFileSync(path('link'), 'mine\n'),
      'new/folder/b.txt': (path) => {
        mkdirSync(path('new/folder'), { recursive: true });
        writeFileSync(path('new/folder/b.txt'), 'mine\n');
      },
      'folder-to-file': (path) => writeFileSync(path('folder-to-file/mine'), 'mine\n'),
      'run.sh': (path) => rmSync(path('run.sh')),
    };
    for (const [name, change] of someOf(Object.entries(person), 2)) {
      const place = make();
      const workshop = await place.begun();
      await landed(workshop, 'A1', work);
      change((path) => join(place.workspace, path));
      const before = stateOf(place.workspace);
      await assert.rejects(workshop.accept(never), (error: Error & { reason?: string }) => {
        assert.equal(error.reason, 'edited');
        assert.ok(error.message.includes(name), error.message);
        return true;
      });
      assert.deepEqual(stateOf(place.workspace), before, name);
    }
  });

  it('never goes through a link of the person', async () => {
    const place = make();
    const outside = join(place.root, 'outside');
    mkdirSync(join(outside, 'folder'), { recursive: true });
    writeFileSync(join(outside, 'a.txt'), 'one\n');
    const workshop = await place.begun();
    await landed(workshop, 'A1', (folder) => {
      writeFileSync(join(folder, 'a.txt'), 'two\n');
      mkdirSync(join(folder, 'new/folder'), { recursive: true });
      writeFileSync(join(folder, 'new/folder/b.txt'), 'b\n');
    });
    rmSync(join(place.workspace, 'a.txt'));
    symlinkSync(join(outside, 'a.txt'), join(place.workspace, 'a.txt'));
    symlinkSync(outside, join(place.workspace, 'new'));
    const before = stateOf(outside);
    await assert.rejects(workshop.accept(never), { reason: 'edited', message: /a\.txt, new\/folder\/b\.txt/ });
    assert.deepEqual(stateOf(outside), before);
  });

  it('does not touch the files of the search', async () => {
    const place = make();
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    mkdirSync(join(checkout.folder, 'thought-trees/goal'), { recursive: true });
    writeFileSync(join(checkout.folder, 'thought-trees/goal/plan.yaml'), 'x');
    await assert.rejects(checkout.commit('w'), { reason: 'outside' });
  });
});
