import assert from 'node:assert/strict';
import { foreign } from '../../../../../src/core/messages/message.ts';
import type { Model, ModelAnswer, ModelRequest } from '../../../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../../../src/core/search/errors.ts';
import type { JournalEvent } from '../../../../../src/core/search/events.ts';
import { utf8Length } from '../../../../../src/core/text/text.ts';
import type { SynthesisData } from '../../../../../src/kinds/research/prompts.ts';
import { someUpTo } from '../../../../support/effort.ts';
import { createMemoryStore, MemoryFiles } from '../../../../support/memory-store.ts';
import { simulatedModel } from '../../../../support/models/simulated-model.ts';
import { assertLinksResolve, assertSafe } from '../../../../support/report-links.ts';
import {
  QUESTION,
  type Simulation,
  type SimulationOptions,
  simulate,
} from '../../../../support/searches/simulated-search.ts';
import { scriptedTree } from '../../../../support/servers/server-tree.ts';
import { VirtualClock } from '../../../../support/virtual-clock.ts';

const latencyMs = ({ node }: { node: string }): number => 500 + (node.length % 5) * 100;
const small = { limits: { size: 'small' as const } };

interface Reported extends Simulation {
  readonly files: MemoryFiles;
}

async function inMemory(options: SimulationOptions): Promise<Reported> {
  const files = new MemoryFiles();
  const simulation = await simulate({ ...options, store: createMemoryStore({ ...QUESTION, ...options.file }, files) });
  return { ...simulation, files };
}

function readReport(files: MemoryFiles): string {
  const report = files.readNow('report.md') ?? '';
  assertSafe(report);
  assertLinksResolve(report, files);
  return report;
}

/** The report of a small search whose opening is answered like this, and how often it was asked for. */
async function openedWith(
  answer: (request: ModelRequest) => ModelAnswer | Error,
): Promise<{ report: string; asked: ModelRequest[] }> {
  const clock = new VirtualClock();
  const simulated = simulatedModel({ tree: scriptedTree(), clock });
  const asked: ModelRequest[] = [];
  const generate: Model['generate'] = async (request, call) => {
    if (request.purpose !== 'synthesize') return simulated.generate(request, call);
    asked.push(request);
    const given = answer(request);
    if (given instanceof Error) throw given;
    return given;
  };
  const { search, files } = await inMemory({ search: { ...small, clock, model: { ...simulated, generate } } });
  const outcome = await clock.run(search.run());
  assert.equal(outcome.state, 'finished');
  return { report: readReport(files), asked };
}

const said = (text: string, finish: ModelAnswer['finish'] = 'stop'): ModelAnswer => ({ text, finish });

describe("a report's opening", () => {
  it('answers before anything else is said, the question too', async () => {
    const file = { prompt: 'Why is the build slow?\n\nIt was fast in spring.' };
    const { run, files } = await inMemory({ search: small, file });
    await run();
    const [title, answer, next] = readReport(files).split('\n\n');
    assert.equal(title, '# Why is the build slow?');
    assert.match(answer ?? '', /^In short: everything the question asks for/);
    assert.equal(next, '## The question');
  });

  it('has no tags around it, whatever was thought before it', async () => {
    const wrapped = 'Some thinking first. <output>It is slow because of **webpack**.</output>';
    const { report } = await openedWith(() => said(wrapped));
    assert.match(report, /\n\nIt is slow because of \*\*webpack\*\*\.\n\n/);
    assert.doesNotMatch(report, /output&gt;|thinking first/);
  });

  const failures: Record<string, [ModelAnswer | Error, RegExp]> = {
    'an error': [new Error('It <broke> [down].'), /the call failed \(It &lt;broke> \\\[down\\\]\)/],
    'a key refused': [
      new ThoughtTreeError('key-refused', foreign({ text: 'The key was refused.' })),
      /The key was refused/,
    ],
    'a rate limit': [
      new ThoughtTreeError('rate-limited', foreign({ text: 'Too many.' }), { charged: false }),
      /Too many/,
    ],
    nothing: [said(' \n'), /the model gave none/],
    'nothing but marks': [said('---\n\n***\n'), /the model gave none/],
    'a cut': [said('The build is', 'length'), /cut off/],
    'a refusal': [said('I would rather not.', 'refused'), /refused/],
    'too many words': [said('word '.repeat(4000)), /far too long/],
    'too many lines': [said('a\n\n'.repeat(400)), /far too long/],
  };
  for (const [name, [answer, why]] of Object.entries(failures))
    it(`may be missing: ${name}`, async () => {
      const { report, asked } = await openedWith(() => answer);
      assert.equal(asked.length, 1, 'asked once, and not again');
      assert.match(
        report.split('\n')[2] ?? '',
        /^\*\*In short:\*\* \[Delta valve 4\]\(delta-valve-4\/document\.md\): What is known/,
      );
      assert.match(report.split('\n')[4] ?? '', why);
      assert.match(report, /^- \*\*\[Binary harvest 1\]/m, 'the outline replaces it');
    });

  it('may take no longer than a call may', async () => {
    const slow = ({ purpose }: { purpose: string }): number => (purpose === 'synthesize' ? 1e9 : 100);
    const { run, files } = await inMemory({ model: { latencyMs: slow }, search: { ...small, timeoutMs: 60_000 } });
    await run();
    assert.match(readReport(files), /No full answer came within 60 seconds/);
  });

  it('is done without where a person stops the wait for it, and asked for by the next report', async () => {
    const clock = new VirtualClock();
    const simulated = simulatedModel({ tree: scriptedTree(), clock });
    let asked = 0;
    const generate: Model['generate'] = async (request, call) => {
      if (request.purpose === 'synthesize' && ++asked === 1) queueMicrotask(() => search.pause(true));
      else return simulated.generate(request, call);
      return new Promise((_, reject) => {
        call.signal.addEventListener('abort', () =>
          reject(new ThoughtTreeError('aborted', foreign({ text: 'It was stopped.' }))),
        );
      });
    };
    const { search, files } = await inMemory({ search: { ...small, clock, model: { ...simulated, generate } } });
    const { state, results } = await clock.run(search.run());
    assert.equal(state, 'finished');
    assert.ok(results.tokens.worstCase > 0, 'it may have been paid for');
    assert.match(readReport(files), /the call failed \([^)]*was stopped\)/);
    await clock.run(search.act({ action: 'report' }, 'test'));
    assert.equal(asked, 2);
    assert.doesNotMatch(readReport(files), /the opening is missing/);
  });

  it('is asked for with a bounded prompt of what was found, with links that may be used', async () => {
    const { asked } = await openedWith(() => said('Yes.'));
    const [request] = asked;
    assert.ok(request?.purpose === 'synthesize');
    const { documents } = request.data as SynthesisData;
    assert.deepEqual([request.node, request.turns], ['', []]);
    assert.ok(documents.length >= 5);
    for (const { link } of documents) assert.ok(request.prompt.includes(`<document link="${link}">`));
    assert.ok(utf8Length(request.prompt) < 32_000);
  });

  it('has a bounded prompt for large documents of any script too', async () => {
    const prompts: string[] = [];
    const title = (_path: string, index: number): string => `为什么构建这么慢而且越来越慢了呢第${index}部分`;
    const instead = ({ purpose, node, prompt }: ModelRequest): string | undefined => {
      if (purpose === 'synthesize') prompts.push(prompt);
      if (purpose !== 'document') return undefined;
      return `---\ntitle: ${node}\nsummary: ${'概要'.repeat(150)}\n---\n${`${'汉字'.repeat(300)}\n\n`.repeat(50)}`;
    };
    const limits = { ...small.limits, guards: { tokens: 1e9 } };
    const { run, files, store } = await inMemory({ tree: { title }, model: { instead }, search: { limits } });
    await store.writeNotes('注意'.repeat(2000));
    await run();
    assert.equal(prompts.length, 1);
    assert.ok(utf8Length(prompts[0] ?? '') < 72_000, `${utf8Length(prompts[0] ?? '')} bytes`);
    assert.ok(utf8Length(prompts[0] ?? '') > 45_000);
    assert.match(prompts[0] ?? '', /注意注意/);
    readReport(files);
  });

  it('links to the nodes it was told of and to pages that are cited, and to nothing else', async () => {
    const link = 'binary-harvest-1/document.md';
    const text = `See [one](${link}), [the same](./binary-harvest-1/document.md), [code \`a]b\`](${link}), [no](binary-harvest-1),
[up](../../etc/passwd), [run](command:workbench.action.quit), [script](javascript:alert(1)), <https://evil.example/a>,
https://evil.example/b, www.evil.example, ![picture](https://evil.example/c.png), [ref][1] and [1].

[1]: https://evil.example/d
`;
    const { report } = await openedWith(() => said(text));
    const opening = report.slice(0, report.indexOf('## Topics'));
    assert.match(opening, /\[one\]\(binary-harvest-1\/document\.md\), \[the same\]\(binary-harvest-1\/document\.md\)/);
    assert.match(opening, /\[code `a\]b`\]\(binary-harvest-1\/document\.md\), no,/);
    assert.match(opening, /\nup, run, script, https\\:\/\/evil/);
    assert.doesNotMatch(opening, /[^\\]:\/\/evil|\]\(https?:|www\.evil/);
  });

  it('cannot break out of its place', async () => {
    const text = `---
title: Mine
---
# A title

Title
=====

## What it cost

- free <script>alert(1)</script> <!-- a comment
  \`\`\`md
  # Not mine
\`\`\`\`

> ~~~
> quoted

\`a <b> | c\` <img src=x onerror=alert(1)>

\`\`\`js
const open = true;
<div>`;
    const { report } = await openedWith(() => said(text));
    assert.match(report, /^### A title$/m);
    assert.match(report, /^#### What it cost$/m);
    assert.match(report, /&lt;script>alert\(1\)&lt;\/script> &lt;!-- a comment/);
    assert.equal(report.match(/^## What it cost$/gm)?.length, 1);
  });
});

describe('finishing now', () => {
  it('makes at most one more call at every step of a search, and a report each time', async () => {
    const options = { model: { latencyMs }, search: { ...small } };
    const whole = await inMemory(options);
    await whole.run();
    const steps = whole.events.length;
    assert.ok(steps > 100, `${steps} events`);
    for (const step of someUpTo(steps)) {
      const { search, events, run, files } = await inMemory(options);
      let at: number | undefined;
      let finishing: Promise<void> | undefined;
      search.listen(({ seq }) => {
        if (seq < step || at !== undefined) return;
        at = 0;
        finishing = Promise.resolve().then(() => {
          at = events.length;
          return search.finish();
        });
      });
      const outcome = await run();
      await finishing;
      assert.equal(outcome.state, 'finished');
      assert.ok(at !== undefined);
      assert.ok(startedIn(events.slice(at)) <= 1, `${startedIn(events.slice(at))} calls after event ${step}`);
      readReport(files);
    }
  });

  it('still has its opening where the budget paused the search', async () => {
    const price = { prompt: 3, cached: 0.3, completion: 15 };
    const tree = { fanout: (_path: string, depth: number): number => [10, 9, 9][depth] ?? 0 };
    const each: { tokens?: number; usd?: number; calls?: number }[] = [
      { tokens: 340_000 },
      { usd: 1.2 },
      { calls: 20 },
    ];
    for (const guards of each) {
      const model = { latencyMs, price };
      const { search, run, clock, files, events } = await inMemory({
        tree,
        model,
        search: { limits: { size: 'all', guards } },
      });
      const outcome = await run();
      assert.deepEqual([outcome.state, outcome.reason], ['paused', 'budget'], JSON.stringify(guards));
      await clock.run(search.finish());
      assert.match(readReport(files), /^In short: everything the question asks for/m);
      assert.equal(events.filter((event) => event.type === 'call-started' && event.purpose === 'synthesize').length, 1);
      const { tokens, usd, calls } = search.results;
      assert.ok(tokens.prompt + tokens.completion + tokens.worstCase <= (guards.tokens ?? Number.POSITIVE_INFINITY));
      assert.ok(usd <= (guards.usd ?? Number.POSITIVE_INFINITY) && calls <= (guards.calls ?? Number.POSITIVE_INFINITY));
    }
  });

  it('keeps nothing back from a small budget, and says then that there was no room', async () => {
    const guards = { calls: 9 };
    const { search, run, clock, files } = await inMemory({ search: { limits: { size: 'all', guards } } });
    await run();
    assert.equal(search.results.calls, 9);
    await clock.run(search.finish());
    assert.equal(search.results.calls, 9);
    assert.match(readReport(files), /the opening is missing, since the budget leaves no room for it/);
  });

  it('stops where another process has taken the search over, instead of writing a report', async () => {
    const { search, run, store, files } = await inMemory({ model: { latencyMs }, search: { ...small } });
    let lost = false;
    search.listen((event) => {
      if (event.type === 'call-started' && event.purpose === 'synthesize') lost = true;
    });
    const append = store.append.bind(store);
    store.append = async (event) => {
      if (lost && event.type === 'call-ended')
        throw new ThoughtTreeError('lease-lost', foreign({ text: 'Another process has it.' }));
      await append(event);
    };
    await assert.rejects(run(), { reason: 'lease-lost' });
    assert.equal(files.readNow('report.md'), undefined);
  });
});

function startedIn(events: readonly JournalEvent[]): number {
  return events.filter(({ type }) => type === 'call-started').length;
}
