import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { eventsOf, runCli, startCli } from '../e2e/cli/run-cli.ts';
import { everyFile, mimeRepository } from './mime-repository.ts';
import { MODULES, ScriptedWorkers } from './scripted-workers.ts';
import { type ClaudeMachine, claudeMachine } from './use-claude.ts';

/** Each atom is checked by a file that is there before the work. */
const atom = (id: string, title: string, path: string, parts: object = {}) => ({
  id,
  title,
  touches: [path],
  checks: [{ item: `${title}: it holds`, check: { command: `node ${path.replace('lib/', 'checks/')}` } }],
  ...parts,
});

/** A call that was killed counts at the most that it can have cost. */
const LIMITS = ['--max-usd', '60', '--max-tokens', '20000000'];
const TESTS = 'node src/test.js';
const PLAN = {
  goal: 'The package can be asked more about types.',
  base_case: [
    { item: 'its own tests pass', check: { command: TESTS } },
    { item: 'everything that was asked for holds', check: { command: 'node checks/all.js' } },
    { item: 'nobody left anything', check: { not_file: '**/escaped.js' } },
  ],
  limits: { parallel: 3, stall: 5 },
  atoms: [
    atom('A1', 'Count the types', 'lib/count.js', { probe: true }),
    atom('A2', 'Know aliases', 'lib/alias.js'),
    atom('A3', 'Tell text', 'lib/text.js'),
    atom('A4a', 'Parse a type with what there is', 'lib/parse.js', { group: 'G' }),
    atom('A4b', 'Parse a type by hand', 'lib/parse.js', { group: 'G' }),
    atom('A5', 'Tell the family', 'lib/family.js'),
    atom('A6', 'Ask for types', 'lib/query.js'),
    atom('A7', 'Tell what is known', 'lib/known.js'),
    atom('A8', 'Be hooked', 'lib/hooked.js', { run: 'node tools/hooked.js' }),
    atom('A9', 'Bring all together', 'lib/index.js', {
      depends_on: ['A1', 'A2', 'A3', 'G', 'A5', 'A6', 'A7', 'A8'],
      checks: [{ item: 'all of it is there', check: { command: 'node checks/all.js' } }],
    }),
  ],
  groups: [{ name: 'G', title: 'A parser', choices: ['A4a', 'A4b'] }],
};

interface Kept {
  readonly status: string;
  readonly selected?: string;
  readonly trail?: readonly { readonly reason: string }[];
  readonly tries?: readonly { readonly ended?: string; readonly seen?: string }[];
  readonly evidence?: readonly { readonly word: string }[];
  readonly joined?: string;
}

describe('a goal reached by Claude Code', () => {
  let machine: ClaudeMachine;
  let workers: ScriptedWorkers;
  let before: Record<string, string>;

  beforeEach(async () => {
    machine = await claudeMachine((call) => workers.answer(call));
    await rm(machine.workspace, { recursive: true });
    await mimeRepository(machine.workspace);
    workers = new ScriptedWorkers(machine.workspace);
    before = await everyFile(machine.workspace);
    await writeFile(join(machine.workspace, '..', 'plan.yaml'), JSON.stringify(PLAN));
  });
  afterEach(() => machine.close());

  const folder = (): string => join(machine.workspace, 'thought-trees', 'goal');
  const where = () => ({ cwd: machine.workspace, env: { ...machine.env } });
  const start = (): string[] => [
    'start',
    ...['--kind', 'work-graph', '--plan', join('..', 'plan.yaml'), '--title', 'Goal', '--dir', folder()],
    ...['--model', 'claude/sonnet', '--timeout', '30', ...LIMITS, '--allow-commands', '--allow-tool', 'Edit'],
    '--json',
  ];

  /** What nodes keep of atoms, by their names. */
  async function atoms(): Promise<Map<string, Kept>> {
    const files = (await readdir(folder(), { recursive: true })).filter((file) => file.endsWith('node.json'));
    const nodes = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(folder(), file), 'utf8'))),
    );
    return new Map(nodes.map(({ own, status }) => [String(own?.name ?? own?.type), { ...own, status }]));
  }

  /** Everything of the person's is as it was; nothing was written next to it. */
  async function assertUntouched(): Promise<void> {
    assert.deepEqual(await everyFile(machine.workspace, ['thought-trees']), before);
    const beside = (await readdir(join(machine.workspace, '..'))).sort();
    assert.deepEqual(beside, ['home', 'plan.yaml', 'secret.txt', 'workspace'], 'no hook ran, and nothing escaped');
  }

  /** The accepted work is brought into the person's files, and nothing else is changed. */
  async function assertAccepted(): Promise<void> {
    const { code, stderr } = await runCli(['accept', folder(), '--yes'], where());
    assert.equal(code, 0, stderr);
    const after = await everyFile(machine.workspace, ['thought-trees']);
    const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
    const modules = Object.values(MODULES).map(([path]) => path);
    assert.deepEqual(changed.sort(), ['NEWS.md', 'lib/hooked.js', ...modules].sort());
    // No line of any accepted atom is missing.
    const text = (path: string): Promise<string> => readFile(join(machine.workspace, path), 'utf8');
    for (const [path, written] of Object.values(MODULES)) assert.equal(await text(path), written);
    assert.deepEqual((await text('NEWS.md')).trim().split('\n').sort(), ['# News', '- by A2', '- by A3']);
    // The base case, run by this test itself.
    for (const file of ['src/test.js', 'checks/all.js'])
      execFileSync(process.execPath, [file], { cwd: machine.workspace, stdio: 'pipe' });
  }

  /** All is verified, by what the program ran itself. */
  async function assertReached(): Promise<void> {
    const known = await atoms();
    for (const [name, { status, evidence, joined }] of known) {
      if (name === 'G') continue;
      assert.equal(status, name === 'A4a' ? 'failed' : 'leaf', name);
      if (name === 'A4a') continue;
      const words = (evidence ?? []).map(({ word }) => word);
      assert.ok(words.length > 0 && words.every((word) => word === 'verified'), `${name}: ${words.join()}`);
      if (name !== 'goal') assert.match(String(joined), /^[\da-f]{40}$/);
    }
    assert.deepEqual([...known.keys()].sort(), [...PLAN.atoms.map(({ id }) => id), 'G', 'goal'].sort());
    assert.equal(known.get('G')?.selected, 'A4b');
    assert.match(known.get('G')?.trail?.[0]?.reason ?? '', /exit code 1/);
    assert.equal(await machine.processes(), 0);
  }

  it('although workers lie, cheat, hang, leave, hook and get in each other’s way', async () => {
    const { code, stdout, stderr } = await runCli(start(), where());
    assert.equal(code, 0, stderr);
    await assertUntouched();
    await assertReached();
    const known = await atoms();
    const ends = (name: string): unknown[] => known.get(name)?.tries?.map(({ ended }) => ended) ?? [];
    // What does not hold goes back to its worker first, which may go on as before.
    const changes = (name: string): unknown[] => [...new Set(ends(name))];
    assert.deepEqual(ends('A4a'), ['contradicted', 'contradicted', 'contradicted']);
    assert.deepEqual(changes('A5'), ['contradicted', 'resolved'], 'it lied');
    assert.deepEqual(changes('A6'), ['contradicted', 'resolved'], 'it changed the test');
    assert.match(known.get('A6')?.tries?.[0]?.seen ?? '', /checks\/query\.js/);
    const ofBoth = [...ends('A2'), ...ends('A3')].filter((end) => end !== 'contradicted');
    assert.deepEqual(ofBoth.sort(), ['conflict', 'resolved', 'resolved']);
    assert.deepEqual(ends('A1'), ['probed', 'resolved']);
    assert.match(workers.told.get('A1 probed')?.[0] ?? '', /No such tool available: Write/);
    for (const name of ['A4b', 'A7', 'A8', 'A9']) assert.deepEqual(ends(name), ['resolved'], name);
    // The one that hung was stopped, and went on in its session.
    assert.ok(workers.asked.filter((name) => name === 'A7').length >= 2);
    assert.ok(workers.stopped >= 1);
    const timedOut = eventsOf(stdout).filter((event) => event.type === 'call-ended' && event.outcome === 'timed-out');
    assert.ok(timedOut.length >= 1, 'one that hung, and any that was slow on a busy machine');
    const [outside, above, secret, hook, ownHook, command] = workers.told.get('A1') ?? [];
    for (const refused of [outside, above, hook, ownHook]) assert.match(refused ?? '', /That is outside/);
    assert.match(secret ?? '', /Nobody can be asked/);
    assert.doesNotMatch(secret ?? '', /of-this-person/);
    assert.match(command ?? '', /No such tool/);
    await assertAccepted();
  }).timeout(400_000);

  it('although the program is killed three times, and workers go on in their checkouts', async () => {
    const kill = async (args: readonly string[], name: string, step: number): Promise<void> => {
      const reached = workers.reaches(name, step);
      const { child, end } = startCli(args, where());
      const early = await Promise.race([reached, end]);
      assert.ok(!early, `${name} did not get that far: ${early?.stderr}, asked: ${workers.asked.join()}`);
      child.kill('SIGKILL');
      await end;
      await machine.server.until(() => machine.server.open === 0);
      while ((await machine.processes()) > 0) await setTimeout(20);
      await assertUntouched();
    };
    const resume = ['resume', folder(), '--timeout', '30', ...LIMITS, '--allow-commands', '--json'];
    await kill(start(), 'A3', 1);
    await kill(resume, 'A5 again', 1);
    await kill(resume, 'A9', 1);
    const { code, stderr } = await runCli(resume, where());
    assert.equal(code, 0, stderr);
    await assertUntouched();
    await assertReached();
    assert.ok(workers.stopped >= 4, 'each that was killed, and the one that hung, went on in its session');
    await assertAccepted();
  }).timeout(600_000);
});
