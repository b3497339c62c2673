import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  lastPrompt,
  serveTools,
  type ToolRequest,
  type ToolServer,
  type Use,
} from '../../support/servers/tool-server.ts';
import { eventsOf } from '../cli/run-cli.ts';
import { UserRepository } from './user-repository.ts';

const output = (value: unknown): string => `<output>${JSON.stringify(value)}</output>`;

const ALIGNED = {
  goal: 'There is a greeting that names the reader.',
  done: ['sh check.sh passes'],
  clarifications: [
    { question: 'Which language?', answer: 'English.', from: 'README.md' },
    { question: 'Which name?', answer: 'Reader.', from: 'what people expect' },
  ],
};
const CHECK = { item: 'it greets', check: { command: 'sh check.sh' } };
const RUBRIC = [{ criterion: 'Friendly', weight: 1 }];
const PLAN = {
  base_case: [CHECK, { item: 'it is friendly', check: { quality: { rubric: RUBRIC, threshold: 3, scope: '*.txt' } } }],
  atoms: [
    { id: 'A1', title: 'Write the greeting', touches: ['greeting.txt'], probe: true, checks: [CHECK] },
    {
      id: 'A2',
      title: 'Tell about it',
      depends_on: ['A1'],
      touches: ['README.md'],
      checks: [{ item: 'a file', check: { file: 'README.md' } }],
    },
  ],
};
const WORKED = { success: true, summary: 'It is done.', artifacts: ['greeting.txt'], next_steps: ['Translate it'] };

const USES: Readonly<Record<string, readonly Use[]>> = {
  A1: [
    { name: 'read', input: { path: 'check.sh' } },
    { name: 'write_file', input: { path: '../outside.txt', text: 'mine' } },
    { name: 'write_file', input: { path: '.git/hooks/pre-commit', text: '#!/bin/sh\n' } },
    { name: 'run_command', input: { command: 'touch mine' } },
    { name: 'write_file', input: { path: 'greeting.txt', text: 'Hello!\n' } },
    { name: 'run_command', input: { command: 'sh check.sh' } },
    { name: 'edit_file', input: { path: 'greeting.txt', old: 'Hello!', new: 'Hello, reader!' } },
    { name: 'run_command', input: { command: 'sh check.sh' } },
  ],
  A2: [
    { name: 'edit_file', input: { path: 'README.md', old: '# Greetings', new: '# Greetings\n\nSee greeting.txt.' } },
  ],
};

/** What a worker does once it heard that its work does not hold: half of it, then the rest where it left it. */
const MENDS: readonly Use[] = [
  { name: 'run_command', input: { command: 'sh check.sh' } },
  { name: 'write_file', input: { path: 'greeting.txt', text: 'Hello, reader!\n' } },
];

describe('a goal given to a chat model with tools', () => {
  let user: UserRepository;
  let server: ToolServer;
  let before: Map<string, string>;
  let hangs: boolean;
  let isHasty: boolean;

  beforeEach(async () => {
    [hangs, isHasty] = [false, false];
    user = await UserRepository.make({
      'README.md': '# Greetings\n\nIn English.\n',
      'check.sh': 'grep -q "Hello, reader" greeting.txt\n',
    });
    before = await user.fingerprint();
    const plans = [{ ...PLAN, atoms: [{ ...PLAN.atoms[0], depends_on: ['A2'] }, PLAN.atoms[1]] }, PLAN];
    server = await serveTools((request, round) => {
      const { purpose } = request;
      if (purpose === 'align') return output(ALIGNED);
      if (purpose === 'plan') return output(plans.shift());
      if (purpose === 'probe')
        return round === 0
          ? { name: 'list', input: {} }
          : output({ feasible: true, findings: 'A file is enough.', relevant_files: ['check.sh'] });
      if (purpose === 'judge-quality') return output({ scores: [4] });
      return worker(request, round);
    });
  });
  afterEach(async () => {
    await server.close();
    await user.remove();
  });

  function worker(request: ToolRequest, round: number): Use | string | undefined {
    const asked = lastPrompt(request);
    if (isHasty && asked.includes('A1:')) return output(WORKED);
    if (asked.startsWith('Your work was looked at')) return MENDS[round] ?? output(WORKED);
    const atom = /<atom>\n(\w+):/.exec(lastPrompt(request))?.[1] ?? '';
    if (hangs && round === 5) return undefined;
    return USES[atom]?.[round] ?? output(WORKED);
  }

  const MODEL = ['--model', 'openai-compatible/tiny', '--no-context', '--json'];
  const DIR = 'thought-trees/greet';
  const begin = (): string[] => [
    ...['start', 'Greet the reader', '--title', 'Greet', '--kind', 'work-graph', '--allow-commands'],
    ...['--base-url', server.baseUrl, ...MODEL],
  ];

  /** What is kept of the atom whose folder is called so, behind its name. */
  async function kept(slug: string): Promise<Record<string, unknown>> {
    const names = await readdir(join(user.folder, DIR));
    const name = names.find((each) => each.endsWith(slug)) ?? assert.fail(names.join());
    return JSON.parse(await readFile(join(user.folder, DIR, name, 'node.json'), 'utf8')).own;
  }

  it('is made clear, planned, probed, worked on in checkouts, judged and accepted', async () => {
    const { code, stdout, stderr } = await user.cli(...begin());
    assert.equal(code, 0, stderr);
    assert.deepEqual(await user.fingerprint(), before);
    const purposes = server.log.map(({ purpose }) => purpose);
    assert.deepEqual(purposes.slice(0, 3), ['align', 'plan', 'plan'], 'a plan that goes in a circle was sent back');
    assert.match(lastPrompt(server.log[2] as ToolRequest), /cannot be carried out: .*A1/);
    assert.equal(purposes.filter((purpose) => purpose === 'judge-quality').length, 3);
    const plan = await readFile(join(user.folder, DIR, 'plan.yaml'), 'utf8');
    assert.match(plan, /from: README\.md.*from: assumed/s);

    const used = eventsOf(stdout).flatMap((event) => (event.type === 'tool-used' ? [event] : []));
    const byWorker = used.filter(({ tool }) => tool !== 'list').map(({ tool, isRefused }) => [tool, isRefused]);
    assert.deepEqual(byWorker, [
      ['read', false],
      ['write_file', true],
      ['write_file', true],
      ['run_command', true],
      ['write_file', false],
      ['run_command', false],
      ['edit_file', false],
      ['run_command', false],
      ['edit_file', false],
    ]);
    const { probe, evidence } = await kept('write-the-greeting');
    assert.match(JSON.stringify(probe), /A file is enough/);
    assert.match(JSON.stringify(evidence), /"verified"/);
    const work = server.log.find(({ purpose }) => purpose === 'work-on');
    assert.match(lastPrompt(work as ToolRequest), /Somebody looked at it before:.*A file is enough/s);
    assert.deepEqual(work?.tools.slice().sort(), [
      'delete_file',
      'edit_file',
      'find_references',
      'list',
      'outline',
      'read',
      'run_command',
      'search',
      'write_file',
    ]);
    assert.deepEqual(
      server.log
        .find(({ purpose }) => purpose === 'probe')
        ?.tools.slice()
        .sort(),
      ['find_references', 'list', 'outline', 'read', 'search'],
    );
    const proposed = await kept('translate-it');
    assert.equal(proposed['isProposed'], true, 'what a worker found waits for a person');

    assert.equal((await user.cli('accept', DIR, '--yes')).code, 0);
    assert.equal(await user.read('greeting.txt'), 'Hello, reader!\n');
    assert.equal(await user.shell('sh check.sh'), 0);
    const after = await user.fingerprint();
    const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
    assert.deepEqual(changed, ['README.md', 'greeting.txt']);
  });

  it('goes on after a kill with the uses of tools that were paid for, in the checkout that was left', async () => {
    hangs = true;
    const { child, end } = user.start(...begin());
    const isHanging = (): boolean => server.log.filter(({ purpose }) => purpose === 'work-on').length > 5;
    await server.until(isHanging);
    child.kill('SIGKILL');
    await end;
    hangs = false;
    const asked = server.log.length;
    const { code, stderr } = await user.cli('resume', DIR, '--allow-commands', '--json');
    assert.equal(code, 0, stderr);
    const [first] = server.log.slice(asked);
    assert.equal(first?.purpose, 'work-on');
    assert.ok((first?.messages.length ?? 0) >= 11, 'five uses and what they gave are in the first request');
    assert.equal((await user.cli('accept', DIR, '--yes')).code, 0);
    assert.equal(await user.read('greeting.txt'), 'Hello, reader!\n');
  });

  it('gets work back that does not hold, in its conversation, before anything else is tried', async () => {
    isHasty = true;
    const { code, stderr } = await user.cli(...begin());
    assert.equal(code, 0, stderr);
    const purposes = server.log.map(({ purpose }) => purpose);
    assert.ok(!purposes.includes('decompose'), purposes.join());
    const back = server.log.find((request) => lastPrompt(request).startsWith('Your work was looked at')) as ToolRequest;
    assert.match(lastPrompt(back), /<seen>\nit greets: exit code 2\..*greeting\.txt/s);
    assert.match(String(back.messages.findLast(({ role }) => role === 'assistant')?.content), /It is done/);
    const { tries } = (await kept('write-the-greeting')) as { tries: { ended: string }[] };
    assert.deepEqual(
      tries.map(({ ended }) => ended),
      ['probed', 'contradicted', 'resolved'],
    );
  });

  it('makes no call that was not allowed, and says how to allow more', async () => {
    const { code, stderr } = await user.cli(...begin(), '--max-calls', '5');
    assert.equal(code, 3, stderr);
    assert.equal(server.log.length, 5, 'by the count of the server');
    const more = await user.cli('resume', DIR, '--allow-commands', '--max-calls', '100', '--json');
    assert.equal(more.code, 0, more.stderr);
    assert.deepEqual(await user.fingerprint(), before);
  });
});
