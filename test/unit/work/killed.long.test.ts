import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { effort } from '../../support/effort.ts';
import { stateOf, WorkPlace } from '../../support/work/work-place.ts';
import { startProcess } from '../store/support/other-process.ts';

/** How often the work is killed on its way. */
const KILLS = effort(8);

/** The whole way of a piece of work: it says where it is. */
function program(place: WorkPlace): string {
  return `
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const { openWorkshop } = await load('work/open-workshop.ts');
    const never = new AbortController().signal;
    const workshop = await openWorkshop({
      workspace: ${JSON.stringify(place.workspace)}, ownFolder: 'thought-trees/goal',
      folder: ${JSON.stringify(join(place.state, 'work'))}, hidden: [${JSON.stringify(place.state)}],
      locks: ${JSON.stringify(join(place.state, 'accepting'))},
      consent: { isAllowed: () => true, ask: async () => true }, hasNetwork: false,
      redact: async (text) => text, isSecret: () => false,
    });
    say('opened');
    const setUp = 'mkdir -p out && echo made > out/x';
    const start = await workshop.begin({ withUncommitted: true, setUp }, never);
    say('begun ' + start);
    for (const name of ['a.txt', 'b.txt', 'c/d.txt']) {
      const tip = await workshop.tip();
      if (await workshop.fileAt(tip, name) === 'done by ' + name + '\\n') continue;
      const checkout = await workshop.checkout(name.replace(/\\W/g, '-'), never);
      if (!existsSync(checkout.folder + '/out/x')) throw new Error('not prepared');
      const line = 'mkdir -p c && echo "done by ' + name + '" > ' + name + ' && echo ' + name + ' >> log-' + name.replace('/', '-');
      const { exitCode } = await checkout.run({ line, rights: 'write', timeoutMs: 100_000 }, never);
      if (exitCode !== 0) throw new Error('failed');
      const commit = await checkout.commit(name);
      say('committed');
      const joined = await workshop.join({ base: checkout.base, commit }, name);
      if (!joined.isJoined) throw new Error('conflict');
      await workshop.advance(tip, joined.commit);
      say('advanced');
      await checkout.remove();
    }
    await workshop.accept(never);
    workshop.finish();
    await workshop.close();
    say('accepted ' + (await workshop.tip()));
    process.exit();
  `;
}

describe('work that is killed on its way', () => {
  it('is the same in the end as if it never had been', async () => {
    const make = (): WorkPlace => {
      const place = new WorkPlace();
      place.commit({ 'a.txt': 'a\n', '.gitignore': 'out/\n', 'c/x.txt': 'x\n' });
      place.write({ 'b.txt': 'uncommitted\n' });
      return place;
    };
    const whole = make();
    const began = performance.now();
    const first = startProcess(program(whole));
    let last: string | undefined;
    for (let line = await first.line(); line !== undefined; line = await first.line()) last = line;
    assert.match(last ?? '', /^accepted/);
    const took = performance.now() - began;
    const wanted = contentsOf(whole);
    assert.deepEqual(wanted['a.txt'], 'done by a.txt\n');

    const place = make();
    const git = stateOf(join(place.workspace, '.git'));
    for (let kill = 0; kill < KILLS; kill++) {
      const process = startProcess(program(place));
      const timer = setTimeout(() => process.signal('SIGKILL'), (took * (kill + 1)) / (KILLS + 1));
      await process.ended;
      clearTimeout(timer);
    }
    const end = startProcess(program(place));
    for (let line = await end.line(); line !== undefined; line = await end.line()) last = line;
    await end.ended;
    assert.match(last ?? '', /^accepted/);
    const contents = contentsOf(place);
    // Whoever was killed and continued may have appended to its log once more.
    for (const files of [contents, wanted])
      for (const name of Object.keys(files)) if (name.startsWith('log-')) delete files[name];
    assert.deepEqual(contents, wanted);
    assert.deepEqual(stateOf(join(place.workspace, '.git')), git);
    assert.deepEqual(readdirSync(join(place.state, 'work', 'checkouts')), []);
  });
});

function contentsOf({ workspace }: WorkPlace): Record<string, string> {
  const paths = Object.keys(stateOf(workspace, (path) => path === '.git')).filter((path) => path !== 'c');
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(workspace, path), 'utf8')]));
}
