import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AcpMachine } from '../../support/agents/acp-machine.ts';
import { UserRepository } from '../work-graph/user-repository.ts';
import { eventsOf, runCli, startCli } from './run-cli.ts';

const OPTIONS = ['--model', 'acp/scripted', '--size', 'all', '--max-depth', '2', '--concurrency', '2'];
const LIMITS = ['--max-usd', '60', '--max-tokens', '20000000'];
const PLAN = JSON.stringify({
  goal: 'It is made.',
  base_case: [{ item: 'it is there', check: { command: 'test -f made.txt' } }],
  atoms: [
    {
      id: 'A1',
      title: 'Make it',
      touches: ['made.txt'],
      checks: [{ item: 'it is made', check: { command: 'grep -q made made.txt' } }],
    },
  ],
});
const DOCUMENT = 'Write the document on';

describe('a search led by an agent of the Agent Client Protocol', () => {
  let machine: AcpMachine;
  afterEach(() => machine.close());

  const where = () => ({ cwd: machine.workspace });
  const search = (): string => join(machine.workspace, 'thought-trees', 'which-trees');
  const start = (...more: string[]): string[] => [
    'start',
    'Which trees?',
    '--title',
    'Which trees',
    ...OPTIONS,
    ...more,
  ];
  const agreeTo = async (): Promise<void> => void (await (await machine.open()).close?.());
  const documents = () => machine.log.filter(({ text }) => text.includes(DOCUMENT));

  it('is refused where nobody can be asked, and once agreed to goes to its end for what it reports', async () => {
    machine = new AcpMachine('forks');
    const refused = await runCli(start(), where());
    assert.equal(refused.code, 2, refused.stdout);
    assert.match(refused.stderr, /acp\/scripted would start .*, to which you have not agreed/);
    assert.deepEqual(machine.log, []);
    await agreeTo();

    const { code, stdout, stderr } = await runCli(start(...LIMITS, '--json'), where());
    assert.equal(code, 0, stderr);
    assert.match(stderr, /acp\/scripted says what a call costs only while it works/);
    assert.equal(documents().length, 6);
    for (const { text, before } of documents()) {
      const [, topic = ''] = /"([^"]*)"/.exec(text.slice(text.lastIndexOf(DOCUMENT))) ?? [];
      const words = [...new Set(`${before.join(' ')}${text}`.match(/w-[A-Z]\w+( leaf| root)?/g))];
      const [parent] = topic.split(' ');
      assert.deepEqual(words, topic.includes(' ') ? [`w-${parent}`] : [], `${topic} sees more than the nodes above it`);
    }
    const ended = eventsOf(stdout).filter((event) => event.type === 'call-ended');
    const spent = ended.reduce((sum, { usage }) => sum + (usage?.usd ?? 0), 0);
    const reported = machine.log.reduce((sum, { usd }) => sum + usd, 0);
    // One that was stopped before it reported counts at most.
    const stopped = ended.filter(({ outcome }) => outcome !== 'ok').length;
    assert.ok(Math.abs(spent - reported) <= 0.01 * stopped + 1e-9, `${spent} of ${reported}, ${stopped} stopped`);
    const shown = await runCli(['show', search(), 'alder', '--call', '1'], where());
    assert.match(shown.stdout, /\[read\] Read a file src\/a\.ts:7/);
    assert.doesNotMatch(await readFile(join(search(), 'alder', 'document.md'), 'utf8'), /Read a file/);
  });

  it('is killed, and goes on', async () => {
    machine = new AcpMachine('plain');
    await agreeTo();
    machine.hang();
    const { child, end } = startCli(start(...LIMITS), where());
    const ended = end.then(({ stderr: said }) => assert.fail(said));
    while (machine.log.length === 0) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))]);
    ended.catch(() => undefined);
    child.kill('SIGKILL');
    await end;
    machine.hang(false);
    const { code, stderr } = await runCli(['resume', search(), ...LIMITS], where());
    assert.equal(code, 0, stderr);
    const topics = documents().map(({ text }) => /"([^"]*)"/.exec(text.slice(text.lastIndexOf(DOCUMENT)))?.[1]);
    assert.equal(new Set(topics).size, 6);
  });

  it('changes nothing while it only reads, whatever it tries', async () => {
    machine = new AcpMachine('writes');
    await agreeTo();
    const { code, stderr } = await runCli(start(...LIMITS), where());
    assert.equal(code, 0, stderr);
    const tried = machine.lines('tried.jsonl') as { written: string[] }[];
    assert.ok(tried.length >= 6);
    for (const { written } of tried) assert.deepEqual(written, []);
    assert.deepEqual((await readdir(machine.workspace)).sort(), ['a.txt', 'thought-trees']);
  });

  it('is not started where no sandbox would hold it', async () => {
    machine = new AcpMachine('forks');
    await agreeTo();
    const { code, stdout } = await runCli(start(...LIMITS), { ...where(), env: { PATH: '/nowhere' } });
    assert.equal(code, 4, stdout);
    assert.match(stdout, /Nothing here would hold acp\/scripted in its folder: that takes bubblewrap/);
    assert.deepEqual(machine.log, []);
  });

  it('works on a goal: its lie is seen, and it puts that right', async () => {
    machine = new AcpMachine('works');
    await agreeTo();
    const user = await UserRepository.make({ 'README.md': '# Parts\n', 'plan.yaml': PLAN });
    const cli = (...args: string[]) => runCli(args, { cwd: user.folder });
    try {
      const before = await user.fingerprint();
      const asked = ['--kind', 'work-graph', '--plan', 'plan.yaml', '--title', 'Goal', '--allow-commands'];
      const { code, stdout, stderr } = await cli('start', ...asked, '--model', 'acp/scripted', ...LIMITS);
      assert.equal(code, 0, stdout + stderr);
      assert.deepEqual(await user.fingerprint(), before, 'nothing of the person is changed');
      const works = machine.log.filter(({ text, before }) =>
        [text, ...before].some((said) => said.includes('A1: Make it')),
      );
      assert.equal(works.length, 2, 'it lied once');
      const { stdout: shown } = await cli('show', 'thought-trees/goal', 'A1');
      assert.match(shown, /Evidence +it is made · verified · 0/);
      const accepted = await cli('accept', 'thought-trees/goal', '--yes');
      assert.equal(accepted.code, 0, accepted.stderr);
      assert.equal(await user.read('made.txt'), 'made\n');
    } finally {
      await user.remove();
    }
  });
});
