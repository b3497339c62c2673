import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventsOf } from '../e2e/cli/run-cli.ts';
import { answerTo, lastAsked } from '../support/agents/tree-answers.ts';
import { someOf } from '../support/effort.ts';
import type { AgentAsked, AgentTold } from './both-apis.ts';
import { AGENTS, AgentMachine } from './use-acp.ts';

const LIMITS = ['--max-usd', '60', '--max-tokens', '20000000', '--json'];
const SIZE = ['--size', 'all', '--max-depth', '2', '--concurrency', '2', '--no-context'];
const FILES = { 'README.md': '# Trees\n' };
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
/** Each call is a process of the agent, which takes seconds to begin: one topic, with two below it, is enough. */
const answer = ({ text }: AgentAsked): AgentTold => ({ text: answerTo(text, ['Alder']) });
const DONE = { text: '<output>{"success": true, "summary": "It is done.", "artifacts": ["made.txt"]}</output>' };

// Each has hundreds of megabytes, and takes seconds to begin: full effort runs both.
for (const name of someOf(['opencode', 'gemini'] as const, 1))
  describe(`a search led by the agent ${name}`, () => {
    const setup = AGENTS[name];
    let machine: AgentMachine;
    let script: (asked: AgentAsked) => AgentTold;
    beforeEach(async () => {
      script = answer;
      // What an agent asks for itself, such as for a title, has no tools.
      const answered = (asked: AgentAsked): AgentTold => (asked.tools.length === 0 ? { text: 'Trees' } : script(asked));
      machine = await AgentMachine.make(name, { ...FILES, 'plan.yaml': PLAN }, answered);
    });
    afterEach(() => machine.close());

    const own = () => machine.server.log.filter(({ tools }) => tools.length > 0);
    const documents = () => own().filter(({ text }) => lastAsked(text)?.kind === 'Write the document on');
    const start = (...more: string[]) =>
      machine.start(
        'start',
        'Which trees?',
        '--title',
        'Which trees',
        '--model',
        machine.model,
        ...SIZE,
        ...LIMITS,
        ...more,
      );

    it('goes to its end, and each topic goes on from the one above, for what the agent reports', async () => {
      const { code, stdout, stderr } = await start().end;
      assert.equal(code, 0, stderr);
      assert.equal(documents().length, 3);
      for (const { text } of documents()) {
        const { topic = '' } = lastAsked(text) ?? {};
        const [parent] = topic.split(' ');
        const words = [...new Set(text.match(/w-[A-Z]\w+( leaf| root)?/g))];
        assert.deepEqual(
          words,
          topic.includes(' ') ? [`w-${parent}`] : [],
          `${topic} sees more than the nodes above it`,
        );
      }
      const ended = eventsOf(stdout).filter((event) => event.type === 'call-ended');
      const answered = ended.filter(({ outcome }) => outcome === 'ok');
      assert.ok(answered.length >= 3);
      for (const { usage } of answered) {
        assert.ok(usage && usage.prompt > 0 && usage.completion > 0);
        if (setup.usd === undefined) assert.equal(usage.usd, undefined);
        else assert.ok(Math.abs((usage.usd ?? 0) - setup.usd) < 1e-9, `${usage.usd} for one request`);
      }
    });

    it('is killed, and goes on', async () => {
      script = (asked) => (lastAsked(asked.text)?.topic.includes(' ') ? { hang: true } : answer(asked));
      const { child, end } = start();
      const early = end.then(({ stderr }) => assert.fail(stderr));
      await Promise.race([
        early,
        machine.server.until(() => documents().some(({ text }) => lastAsked(text)?.topic.includes(' '))),
      ]);
      early.catch(() => undefined);
      child.kill('SIGKILL');
      await end;
      script = answer;
      const before = documents().length;
      const { code, stderr } = await machine.start('resume', 'thought-trees/which-trees', ...LIMITS).end;
      assert.equal(code, 0, stderr);
      const topics = documents()
        .slice(before)
        .map(({ text }) => lastAsked(text)?.topic);
      assert.equal(new Set(topics).size, topics.length, 'nothing is asked twice');
      assert.deepEqual(topics.sort(), ['Alder leaf', 'Alder root']);
    });

    it('changes nothing while it only reads, whatever it tries', async () => {
      const before = await machine.user.fingerprint();
      // Behind a folder that is not its own an agent may end its answer where it is refused.
      const tries = [
        setup.writes(join(machine.user.folder, 'escaped.txt'), 'here'),
        setup.runs('touch escaped.txt'),
        setup.writes(join(machine.home, 'escaped.txt'), 'here'),
      ];
      script = (asked) =>
        (lastAsked(asked.text)?.kind === 'Write the document on' && tries[asked.results.length]) || answer(asked);
      const { code, stderr } = await start('--max-depth', '1').end;
      assert.equal(code, 0, stderr);
      assert.ok(
        documents().some(({ results }) => results.length >= 2),
        'it tried that',
      );
      assert.deepEqual(await machine.user.fingerprint(), before);
      assert.ok(!existsSync(join(machine.home, 'escaped.txt')));
    });

    it('works on a goal: its lie is seen, and it puts that right', async () => {
      const before = await machine.user.fingerprint();
      let hasLied = false;
      script = (asked) => {
        if (!asked.text.includes('A1: Make it')) return answer(asked);
        if (asked.results.length > 0) return DONE;
        if (hasLied) return setup.writes('made.txt', 'made\n');
        hasLied = true;
        return DONE;
      };
      const asked = ['--kind', 'work-graph', '--plan', 'plan.yaml', '--title', 'Goal', '--allow-commands'];
      const { code, stdout, stderr } = await machine.start('start', ...asked, '--model', machine.model, ...LIMITS).end;
      assert.equal(code, 0, stdout + stderr);
      assert.deepEqual(await machine.user.fingerprint(), before, 'nothing of the person is changed');
      const accepted = await machine.start('accept', 'thought-trees/goal', '--yes').end;
      assert.equal(accepted.code, 0, accepted.stderr);
      assert.equal(await machine.user.read('made.txt'), 'made\n');
    });
  }).timeout(600_000);
