import assert from 'node:assert/strict';
import type { Workshop } from '../../../../../src/core/ports/workshop.ts';
import { Tree } from '../../../../../src/core/tree/tree.ts';
import type { Acting } from '../../../../../src/engine/context.ts';
import { accept, diff } from '../../../../../src/kinds/work-graph/actions/accept.ts';

const FILE = { path: 'a.txt', change: 'changed', added: 2, removed: 1 } as const;

const CHANGED = { changed: 1, replaced: ['a.txt'], lost: [] as string[] };

function acting(own?: object, tip: string | undefined = 'bbbbbbb', given = CHANGED): { at: Acting; asked: string[] } {
  const asked: string[] = [];
  const workshop = {
    start: async () => 'aaaaaaa',
    tip: async () => tip,
    diff: async (from: string, to: string) => {
      asked.push(`${from}..${to}`);
      return { files: [FILE], text: 'x'.repeat(300_001) };
    },
    accept: async () => {
      asked.push('accept');
      return { commit: tip, files: [FILE], ...given };
    },
    undoAccept: async () => {
      asked.push('undo');
      return { commit: 'aaaaaaa', files: [FILE], ...given };
    },
    inFiles: async () => ({ files: [FILE], text: '' }),
  } as unknown as Workshop;
  const node = { ...(own && { parent: {}, file: { own } }) };
  return { at: { ctx: { workshop, tree: new Tree('All green') }, node } as unknown as Acting, asked };
}

describe('accepted work', () => {
  it('is shown from where it began to where it is, cut off after some length', async () => {
    const { at, asked } = acting();
    const result = await diff.run(at, {});
    assert.deepEqual(asked, ['aaaaaaa..bbbbbbb']);
    assert.equal(result.isCut, true);
    assert.equal(diff.say(result, at.node).text, '1 file changes: 2 lines more, 1 lines less.');
  });

  it('names what atoms changed although they do not name it, before it is accepted', async () => {
    const { at } = acting();
    const { tree } = at.ctx;
    const work = { base: 'aaaaaaa', by: 'x', summary: '', artifacts: [], outside: ['a.txt', 'taken-back.txt'] };
    for (const [name, joined] of [
      ['A1', 'bbbbbbb'],
      ['A2', undefined],
    ] as const)
      tree.add(tree.root, name, {
        file: { title: name, status: 'leaf', own: { type: 'atom', name, joined, work } as never },
      });
    for (const [action, result] of [
      [diff, await diff.run(at, {})],
      [accept, await accept.run(at, { dryRun: true })],
    ] as const) {
      assert.deepEqual(result.outside, ['a.txt']);
      assert.match(action.say(result, at.node).text, /lines less\. Changed by tasks that do not name them: a\.txt$/);
    }
  });

  it('is shown for one atom as what was made for it', async () => {
    const work = { base: 'ccccccc', commit: 'ddddddd', by: 'x', summary: 's', artifacts: [] };
    const { at, asked } = acting({ type: 'atom', name: 'A1', work });
    await diff.run(at, {});
    assert.deepEqual(asked, ['ccccccc..ddddddd']);
    const none = acting({ type: 'atom', name: 'A1' });
    assert.deepEqual((await diff.run(none.at, {})).files, []);
    assert.deepEqual(none.asked, []);
  });

  it('is shown for a single file by its text on both sides', async () => {
    const { at } = acting();
    const workshop = {
      ...at.ctx.workshop,
      fileAt: async (commit: string) => (commit === 'aaaaaaa' ? undefined : 'new'),
    };
    const result = await diff.run({ ...at, ctx: { ...at.ctx, workshop } as Acting['ctx'] }, { file: 'a.txt' });
    assert.deepEqual([result.before, result.after, result.files], [undefined, 'new', []]);
  });

  it('changes the files of the workspace only where that is meant', async () => {
    const { at, asked } = acting();
    const tried = await accept.run(at, { dryRun: true });
    assert.ok(!asked.includes('accept'));
    assert.match(accept.say(tried, at.node).text, /^1 file changes/);
    const done = await accept.run(at, {});
    assert.equal(asked.at(-1), 'accept');
    assert.match(accept.say(done, at.node).text, /^Accepted: 1 file/);
  });

  it('says what git can bring back, that nothing changed, and what was undone, as it was looked at', async () => {
    const said = async (given: typeof CHANGED, args: { undo?: true } = {}): Promise<string> => {
      const { at } = acting(undefined, 'bbbbbbb', given);
      return accept.say(await accept.run(at, args), at.node).text;
    };
    assert.match(await said(CHANGED), /^Accepted: 1 file .* in your last commit, too\.$/);
    assert.match(await said({ ...CHANGED, lost: ['a.txt'] }), /Git cannot bring back these .*: a\.txt\.$/);
    assert.doesNotMatch(await said({ ...CHANGED, replaced: [] }), /[Gg]it /);
    assert.match(await said({ ...CHANGED, changed: 0 }), /^Nothing was changed/);
    assert.match(await said(CHANGED, { undo: true }), /^Undone: 1 file is/);
    assert.match(await said({ ...CHANGED, changed: 0 }, { undo: true }), /^Nothing was changed/);
  });

  it('is refused where nobody allowed to change files', async () => {
    const at = { ctx: {}, node: {} } as Acting;
    await assert.rejects(accept.run(at, {}), { reason: 'declined' });
  });
});
