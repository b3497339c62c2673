import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { createSearch, openForWriting } from '../../../../src/store/open-store.ts';
import { systemClock, systemRandom } from '../../../../src/store/system-ports.ts';
import { QUESTION, simulate } from '../../../support/searches/simulated-search.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { CancellationTokenSource, ChatResponseTurn, fake, lm, type MarkdownString } from '../fake-vscode.ts';
import { ChatBench } from './chat-parts.ts';

const { SearchAnswers } = await import('../../../../src/extension/chat/tree-chat.ts');
const { chatSink } = await import('../../../../src/extension/chat/answer-sink.ts');

const NODE = 'limits-limits-md';

/** What one answer said. */
class Said {
  text = '';
  readonly links: string[] = [];
  readonly progress: string[] = [];
  readonly buttons: string[] = [];
  /** The arguments of buttons. */
  readonly given: unknown[] = [];
  /** What came, piece by piece. */
  readonly pieces: string[] = [];
  readonly stream = {
    markdown: (value: string | MarkdownString) => {
      this.text += typeof value === 'string' ? value : value.value;
      this.pieces.push(typeof value === 'string' ? value : value.value);
      if (typeof value !== 'string' && value.isTrusted) this.links.push(JSON.stringify(value.isTrusted));
    },
    button: ({ command, arguments: given }: { command: string; arguments?: unknown }) => {
      this.buttons.push(command);
      this.given.push(given);
    },
    progress: (text: string) => void this.progress.push(text),
  };
}

describe('@tree', () => {
  let bench: ChatBench;
  const invoked: [string, object][] = [];
  let isSkipped = false;

  before(() => {
    fake.reset();
    const folder = temporaryFolder('chat');
    writeFileSync(join(folder, 'limits.md'), '# Limits\n\nRequests are limited by a token bucket.\n');
    bench = new ChatBench(folder);
    lm.invokeTool = async (name: string, { input }: { input: object }) => {
      invoked.push([name, input]);
      await bench.chat.tools.prepare(name as never, input as never);
      if (isSkipped) throw new Error('Canceled');
      await bench.chat.tools.invoke(name as never, input as never, new CancellationTokenSource().token as never);
    };
  });
  after(() => bench.close());
  beforeEach(() => {
    isSkipped = false;
    invoked.length = 0;
  });

  const ask = async (command: string | undefined, prompt = '', last?: string) => {
    const said = new Said();
    const request = { command, prompt, model: { id: 'scripted-1' }, toolInvocationToken: undefined };
    const history = last === undefined ? [] : [new ChatResponseTurn({ metadata: { folder: last } })];
    const { token } = new CancellationTokenSource();
    const result = await bench.chat.answer(
      request as never,
      { history } as never,
      said.stream as never,
      token as never,
    );
    return { said, result, followups: bench.chat.followups(result).map(({ command: next }) => next) };
  };

  it('says where there is nothing to tell', async () => {
    const { result } = await ask('status');
    assert.match(result.errorDetails?.message ?? '', /There is no search in this folder yet/);
  });

  it('tells what it can do where nothing is asked', async () => {
    const { said } = await ask(undefined);
    for (const name of ['start', 'status', 'best', 'explain', 'act', 'report'])
      assert.match(said.text, new RegExp(`/${name}`));
  });

  it('offers a search with a question about which nothing is known, without asking a model', async () => {
    const { said, followups } = await ask(undefined, 'How are requests limited?');
    assert.match(said.text, /^There is no search in this folder yet\./);
    assert.deepEqual(
      said.buttons,
      ['workbench.action.chat.open'],
      'one way to begin it: in the chat, which tells its end',
    );
    assert.deepEqual(said.given, [[{ query: '@tree /start How are requests limited?' }]]);
    assert.deepEqual([followups, bench.prompts], [[], []]);
  });

  it('uses the model of the settings, else the one picked in the chat', async () => {
    isSkipped = true;
    const { said } = await ask('start', 'What?');
    assert.match(said.text, /Nothing was begun/);
    assert.deepEqual(invoked, [['tree_start', { question: 'What?', model: 'vscode/scripted-1' }]]);
  });

  it('begins a search and answers from its files', async () => {
    fake.settings['thoughtTree.model'] = 'workspace/quotes';
    const { said, followups } = await ask('start', 'How are requests limited?');
    assert.deepEqual(invoked, [['tree_start', { question: 'How are requests limited?' }]]);
    assert.match(said.text, /^\*\*How are requests limited.* · finished/, 'it was watched to its end');
    assert.ok(
      said.progress.some((text) => /^1 topic open · \d+ calls$/.test(text)),
      said.progress.join(),
    );
    assert.ok(said.buttons.includes('thoughtTree.openGraph'));
    assert.deepEqual(followups.slice(0, 2), ['status', 'best']);
    await bench.end('how-are-requests-limited');
    const best = await ask('best');
    assert.match(best.said.text, /- \[“Limits” .*\]\(command:thoughtTree\.openDocument/);
    assert.deepEqual(
      [...new Set(best.said.links)],
      ['{"enabledCommands":["thoughtTree.openDocument","thoughtTree.openReport"]}'],
    );
    const report = await ask('report');
    assert.match(report.said.text, /limited by a token bucket/);
    assert.ok(report.said.buttons.includes('thoughtTree.openReport'));
  });

  it('tells what is known so far of a search that has no report yet', async () => {
    const workspace = join(bench.searches[0]?.workspace ?? '');
    const folder = join(workspace, 'thought-trees', 'not-finished');
    await createSearch(folder, QUESTION);
    const store = await openForWriting(folder, { clock: systemClock, random: systemRandom });
    const limits = { size: 'all' as const, maxDepth: 1, guards: { calls: 3 } };
    const tree = { fanout: (_path: string, depth: number) => [3][depth] ?? 0, documentWords: 30 };
    const with_ = { tree, store, model: { clock: systemClock }, search: { clock: systemClock, limits } };
    const { search } = await simulate(with_);
    await search.run();
    await search.close();
    await bench.scan();
    assert.equal(existsSync(join(folder, 'report.md')), false);
    const { said } = await ask('report', '', folder);
    assert.match(said.text, /Interim report/);
    const status = (await ask('status', '', folder)).said.text;
    assert.match(status, /· price unknown/);
    assert.doesNotMatch(status, /\$0\.00/, 'nobody knows an amount');
    assert.ok(existsSync(join(folder, 'report.md')));
    rmSync(folder, { recursive: true });
    await bench.scan();
  });

  it('answers a sentence from the documents of searches as it comes, with links to those that it cites', async () => {
    bench.pieces = ['Requests are limited', ' by a **bucket** [1].\n', '\nSee [x](command:evil)', ' [7].'];
    const { said, followups } = await ask(undefined, 'what did you find about the token bucket so far?');
    bench.pieces = [];
    assert.deepEqual(said.pieces.slice(0, 2), [
      'Requests are limited by a **bucket** [1].\n\n',
      'See \\[x](command:evil) [7].',
    ]);
    assert.match(said.text, /From these documents:\n\n- \\\[1\\\] \[“Limits” .*\]\(command:thoughtTree\.openDocument/);
    assert.match(
      bench.prompts.at(-1) ?? '',
      /^\[1\] “Limits”.*(?:.|\n)*token bucket(?:.|\n)*The question: what did you find/,
    );
    assert.deepEqual(said.given.at(-1), [{ query: '@tree /start what did you find about the token bucket so far?' }]);
    assert.deepEqual(followups, []);
    bench.prompts.length = 0;
  });

  it('looks through reports, too', async () => {
    const folder = join(bench.searches[0]?.folder ?? '', 'report.md');
    const report = readFileSync(folder, 'utf8');
    writeFileSync(folder, `${report}\nThe zebra is the culprit.\n`);
    bench.pieces = ['It is the zebra [1].'];
    const { said } = await ask(undefined, 'what about the zebra?');
    bench.pieces = [];
    writeFileSync(folder, report);
    assert.match(said.text, /From these documents:\n\n- \\\[1\\\] \[.*\]\(command:thoughtTree\.openReport/);
    assert.match(bench.prompts.at(-1) ?? '', /The zebra is the culprit/);
    bench.prompts.length = 0;
  });

  it('watches a search until it ends, and says where its report will be if that is too long', async () => {
    const [search] = bench.searches as [FollowedSearch];
    const states = ['running', 'waiting', 'running', 'finished'];
    const waits: unknown[] = [];
    const read = async (name: string): Promise<object> => {
      if (name === 'tree_wait') return { data: { waits: waits.push(name) } };
      const state = states.length > 1 ? states.shift() : states[0];
      return { data: { nodes: {}, spent: { calls: 1 }, state } };
    };
    const { signal } = new AbortController();
    const answers = new SearchAnswers({ read } as never, { kinds: KINDS, runner: {} as never });
    const sink = chatSink(new Said().stream as never);
    assert.equal(await answers.watch(sink, search, signal), true);
    assert.equal(waits.length, 4);
    states[0] = 'running';
    assert.equal(await answers.watch(sink, search, signal), false);
  });

  it('says what can be done, and what cannot', async () => {
    const { said } = await ask('act');
    assert.match(said.text, /- `note`/);
    assert.match((await ask('act', 'fly')).said.text, /"fly" cannot be done now/);
    assert.deepEqual(invoked, []);
  });

  it('does what is named, at the node that is named, with the text behind the colon', async () => {
    await ask('act', `note ${NODE}: look at: buckets`);
    assert.deepEqual(invoked, [
      [
        'tree_act',
        { search: 'how-are-requests-limited', action: 'note', node: NODE, arguments: { text: 'look at: buckets' } },
      ],
    ]);
    isSkipped = true;
    assert.match((await ask('act', `prune ${NODE}`)).said.text, /Nothing was done/);
  });

  it('explains a node by one call of the model of the chat, with nothing that could be run or loaded', async () => {
    const { said } = await ask('explain', NODE);
    assert.match(said.text, /It says this\. \\\[run\]\(command:evil\) !\\\[seen\]\(https:/);
    assert.match(said.text, /^\\\[more\]: command:evil$/m);
    assert.equal(bench.prompts.length, 1);
    assert.match(bench.prompts[0] ?? '', /The question of the search: How are requests limited\?(?:.|\n)*token bucket/);
  });

  it('explains as a command, too, for those who have no chat', async () => {
    const [search] = bench.searches;
    assert.ok(search);
    await bench.chat.explain(search, NODE);
    const [explained] = fake.executed.map(([, text]) => String(text));
    assert.match(explained ?? '', /It says this\. .* !\\\[seen\]\(https:/);
  });
});
