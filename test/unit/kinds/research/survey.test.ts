import assert from 'node:assert/strict';
import { type ModelRequest, wrappedModel } from '../../../../src/core/ports/model.ts';
import type { Toolbox } from '../../../../src/core/ports/tool.ts';
import type { SpendLimits } from '../../../../src/core/search/limits.ts';
import { NEW_FORM } from '../../../../src/kinds/research/research-search.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { sampleToolbox, toolModel } from '../../../support/models/tool-model.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { heldText } from '../../engine-parts/citations/held-text.ts';

const SURVEY = `---
findings:
  - text: "Bundling takes 40 s of 60."
    cites: ["build/config.js:3-9"]
open:
  - "Whether a cache is used."
---
Most likely it is bundling.

`;

/** A list at the end of an answer: title and score of each. */
function list(...topics: readonly (readonly [string, number])[]): string {
  return `<output>${JSON.stringify(topics.map(([title, score]) => ({ title, score, why: 'It may change it.' })))}</output>`;
}

function document(title: string, subtopics: string): string {
  return `---\ntitle: "${title}"\nsummary: "What is known of ${title}."\nfindings:\n  - text: "${title} is slow."\n    cites: []\n---\n\nText on ${title}.\n\n${subtopics}`;
}

/** What the model says to a request, by its purpose and node; anything else gets a document without subtopics. */
type Script = Readonly<Record<string, string | ((request: ModelRequest) => string)>>;

interface Told extends Simulation {
  readonly files: MemoryFiles;
  readonly asked: ModelRequest[];
}

async function surveyed(
  script: Script,
  more: { size?: 'small' | 'all'; files?: MemoryFiles; calls?: number } = {},
): Promise<Told> {
  const files = more.files ?? new MemoryFiles();
  const asked: ModelRequest[] = [];
  const instead = (request: ModelRequest): string => {
    asked.push(request);
    const said = script[`${request.purpose} ${request.node}`.trim()] ?? script[request.purpose];
    if (typeof said === 'function') return said(request);
    if (said !== undefined) return said;
    if (request.purpose === 'synthesize') return 'It is bundling [1].';
    return document(request.node.split('/').at(-1) ?? '', list());
  };
  const file = { ...QUESTION, options: { ...NEW_FORM } };
  const limits = { size: more.size ?? 'small', ...(more.calls === undefined ? {} : { guards: { calls: more.calls } }) };
  const store = createMemoryStore(file, files);
  const simulation = await simulate({ store, model: { instead }, search: { limits, concurrency: 1 } });
  return { ...simulation, files, asked };
}

function fieldsOf(files: MemoryFiles, path: string): Record<string, unknown> {
  return JSON.parse(files.readNow(`${path}/node.json`) ?? '{}') as Record<string, unknown>;
}

describe('a search that begins with a survey', () => {
  const children = SURVEY + list(['Bundling', 8], ['Caches', 7]);

  it('has the provisional answer in its report before the first document is asked for', async () => {
    let early: string | undefined;
    const { run, files } = await surveyed({
      children,
      'document bundling': () => {
        early ??= files.readNow('report.md') ?? '';
        return document('Bundling', list());
      },
    });
    await run();
    assert.match(early ?? '', /Most likely it is bundling\./);
    assert.match(early ?? '', /Bundling takes 40 s of 60\. \(build\/config\.js:3-9\)/);
    assert.match(early ?? '', /Whether a cache is used\./);
    assert.match(files.readNow('report.md') ?? '', /^It is bundling/m);
  });

  it('forks the first level from it, and makes one request for each document', async () => {
    const { run, asked } = await surveyed({
      children,
      'document bundling': document('Bundling', list(['Source maps', 8])),
    });
    await run();
    const purposes = asked.map(({ purpose }) => purpose);
    assert.deepEqual(purposes.filter((purpose) => purpose === 'children').length, 1);
    const documents = asked.filter(({ purpose }) => purpose === 'document');
    assert.equal(documents.length, 3);
    for (const { turns } of documents) assert.ok(turns.some(({ text }) => text.includes('Most likely it is bundling')));
    const below = documents.find(({ node }) => node === 'bundling/source-maps');
    assert.ok(below?.turns.some(({ text }) => text.includes('Text on Bundling')));
  });

  it('shows its own findings to the report, numbered before those of the documents', async () => {
    const { run, asked } = await surveyed({ children });
    await run();
    const prompt = asked.find(({ purpose }) => purpose === 'synthesize')?.prompt ?? '';
    assert.match(
      prompt,
      /<provisional>[\s\S]*\[1\] Bundling takes 40 s of 60\. \(build\/config\.js:3-9\)[\s\S]*Open: Whether a cache is used\./,
    );
    assert.match(prompt, /\[2\] \w+ is slow\./);
  });

  it('leaves open what is expected to add too little, unless all is wanted', async () => {
    const script = { children, 'document bundling': document('Bundling', list(['Comments', 3], ['Source maps', 4])) };
    const some = await surveyed(script);
    await some.run();
    assert.equal(fieldsOf(some.files, 'bundling/comments')['status'], 'unexpanded');
    assert.equal(fieldsOf(some.files, 'bundling/source-maps')['status'], 'leaf');
    assert.match(some.files.readNow('report.md') ?? '', /Comments/);
    const all = await surveyed(script, { size: 'all' });
    await all.run();
    assert.equal(fieldsOf(all.files, 'bundling/comments')['status'], 'leaf');
  });

  it('pays for no topic twice, also after a pause', async () => {
    const script = { children, 'document bundling': document('Bundling', list(['CACHES.', 9], ['Source maps', 8])) };
    const first = await surveyed(script, { calls: 3 });
    await first.run();
    const second = await surveyed(script, { files: first.files });
    await second.run();
    const same = fieldsOf(first.files, 'bundling/caches');
    assert.deepEqual([same['status'], same['leafReason'], same['sameAs']], ['leaf', 'duplicate', 'caches']);
    // Nor is it called open, or planned.
    const asked = [...first.asked, ...second.asked].filter(({ purpose }) => purpose !== 'children');
    for (const { prompt } of asked) assert.doesNotMatch(prompt, /^- CACHES\./m);
    assert.doesNotMatch(first.files.readNow('report.md') ?? '', /^- CACHES/m);
    assert.ok([...first.asked, ...second.asked].every(({ node }) => node !== 'bundling/caches'));
  });

  it('tells a document what others found, and again the same once it is resumed', async () => {
    const files = new MemoryFiles();
    const script: Script = { children, 'document bundling': document('Bundling', list(['Source maps', 8])) };
    const whole = await surveyed(script, { files });
    await whole.run();
    const prompt = whole.asked.find(({ node }) => node === 'bundling/source-maps')?.prompt ?? '';
    assert.match(
      prompt,
      /<meanwhile>[\s\S]*- Caches: What is known of caches\.\n {2}- caches is slow\.[\s\S]*<\/meanwhile>$/,
    );
    const shown = whole.events.filter((event) => event.type === 'shown');
    const call = whole.events.findIndex(
      (event) => event.type === 'call-started' && event.node === 'bundling/source-maps',
    );
    const at = whole.events.findIndex((event) => event.type === 'shown' && event.node === 'bundling/source-maps');
    assert.equal(shown.length, 3);
    assert.ok(at >= 0 && at < call, 'it is in the journal before the call');
  });
});

describe('a search whose survey reads files', () => {
  const children = SURVEY + list(['Bundling', 8], ['Caches', 7]);
  /** Longer than what a whole survey, or a document below it, may read. */
  const long: Toolbox = {
    ...sampleToolbox,
    use: async () => ({ text: 'x'.repeat(30_000), isRefused: false, what: 'a file' }),
  };

  /** @param rounds how often the model wants to read, by the purpose of a request */
  async function read(
    rounds: Readonly<Record<string, number>>,
    guards: SpendLimits = {},
    toolbox = sampleToolbox,
  ): Promise<readonly ModelRequest[]> {
    const reader = toolModel({ fanout: () => 0 }, ({ purpose, toolsAreOver }) =>
      toolsAreOver ? 0 : (rounds[purpose] ?? 0),
    );
    const said = ({ purpose, node }: ModelRequest): string => {
      if (purpose === 'children') return children;
      return purpose === 'synthesize' ? 'It is bundling [1].' : document(node, list());
    };
    const model = wrappedModel(reader, {
      generate: async (request, how) => {
        const answer = await reader.generate(request, how);
        return answer.finish === 'stop' ? { ...answer, text: said(request) } : answer;
      },
    });
    const store = createMemoryStore({ ...QUESTION, options: { ...NEW_FORM } }, new MemoryFiles());
    const search = {
      model,
      limits: { size: 'small' as const, guards },
      toolbox,
      tools: true,
      concurrency: 1,
      workspaceText: heldText({}),
    };
    await (await simulate({ store, search })).run();
    return reader.requests;
  }

  const asked = (requests: readonly ModelRequest[], purpose: string): ModelRequest[] =>
    requests.filter((request) => request.purpose === purpose);
  const textsOf = ({ turns }: ModelRequest): string[] => turns.map(({ text }) => text);
  const resultsOf = ({ turns, toolResults = [] }: ModelRequest): number =>
    [...turns.flatMap((turn) => turn.toolResults ?? []), ...toolResults].reduce(
      (sum, { text }) => sum + text.length,
      0,
    );

  it('goes on in it for its report: what was read is seen, the draft stands above, its findings have numbers', async () => {
    const requests = await read({ children: 2, synthesize: 1 });
    const [survey, reports] = [asked(requests, 'children').at(-1), asked(requests, 'synthesize')];
    assert.ok(survey);
    const [first, second] = reports as [ModelRequest, ModelRequest];
    assert.equal(reports.length, 2);
    assert.deepEqual(textsOf(first), [...textsOf(survey), '', children]);
    assert.equal(resultsOf(first), resultsOf(survey));
    assert.match(first.prompt, /<provisional>\n\[1\] Bundling takes 40 s of 60\. [\s\S]*\[2\] /);
    assert.doesNotMatch(first.prompt, /Most likely it is bundling/);
    assert.equal(second.toolsAreOver, true);
  });

  it('asks for the report apart, with the draft, where the budget has no room for that', async () => {
    const [report, ...more] = asked(await read({ children: 2 }, { tokens: 130_000 }), 'synthesize');
    assert.ok(report);
    assert.deepEqual([more.length, report.turns, report.tools], [0, [], undefined]);
    assert.match(report.prompt, /<provisional>\nMost likely it is bundling\.\n\[1\] Bundling takes 40 s/);
  });

  it('has read so much at most, and a document below it less, in one round', async () => {
    const requests = await read({ children: 9, document: 9 }, {}, long);
    const survey = asked(requests, 'children').at(-1) as ModelRequest;
    assert.ok(resultsOf(survey) > 90_000 && resultsOf(survey) < 101_000, String(resultsOf(survey)));
    assert.equal(survey.toolsAreOver, true);
    const firstResult = asked(requests, 'children')[1]?.toolResults?.at(-1)?.text ?? '';
    assert.match(firstResult, /\n\nThere is room for about \d\d,000 more characters of results\.$/);
    const documents = asked(requests, 'document');
    assert.equal(documents.length, 4);
    for (const request of documents.filter(({ toolsAreOver }) => toolsAreOver))
      assert.ok(resultsOf(request) - resultsOf(survey) < 25_000);
  });

  it('says how to cite once, for all that is forked from it', async () => {
    const requests = await read({ children: 1 });
    const rules = /Cite files of the workspace/;
    assert.match(asked(requests, 'children')[0]?.prompt ?? '', rules);
    for (const { prompt, turns } of asked(requests, 'document')) {
      assert.doesNotMatch(prompt, rules);
      assert.equal(turns.filter(({ text }) => rules.test(text)).length, 1);
    }
  });
});
