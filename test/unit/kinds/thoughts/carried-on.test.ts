import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { nodeAt } from '../../../../src/core/tree/tree.ts';
import { accountedAnswer } from '../../../../src/kinds/thoughts/prompts/answer-prompts.ts';
import type { SearchComplete } from '../../../../src/kinds/thoughts/snapshot/snapshot.ts';
import { simulateThoughts, type ThoughtSimulation } from '../../../support/searches/simulated-thoughts.ts';
import { thoughtData } from '../../../support/searches/thought-data.ts';

const OPTIONS = { candidates: 2, threshold: 0, maxDepth: 2 };
const output = (value: unknown): string => `<output>${JSON.stringify(value)}</output>`;

/** The defects that the judge names, by the thought. */
const DEFECTS: Readonly<Record<string, readonly string[]>> = {
  'step.1': ['35 days are not 32.', '100 runs see no rare flake.'],
  'step.2': ['It has no owner.'],
  'step.1.1': ['The proof overlaps the repairs.'],
};

/** What a judge says, with defects and criteria. */
function judged(request: ModelRequest): string | undefined {
  const data = thoughtData(request.data);
  if (data.purpose === 'decompose')
    return output({
      thought_granularity: 'one week',
      intermediate_steps: ['Measure', 'Mend'],
      success_criteria: ['It is dated', 'It has owners'],
      assumptions: ['Two engineers'],
      solutions: 'exact',
    });
  if (data.purpose !== 'evaluate') return undefined;
  const evaluations = data.message.payload.candidates.map(({ id, content }) => ({
    id,
    defects: DEFECTS[content] ?? [],
    criteria: { 1: 9, 2: 4 },
    reasoning: `about ${content}`,
    score: content.endsWith('1') ? 8 : 6,
    confidence: 0.9,
  }));
  return output({ evaluations });
}

async function searched(
  answer: string,
  more: (request: ModelRequest) => string | undefined = () => undefined,
): Promise<ThoughtSimulation & { prompts: ModelRequest[] }> {
  const prompts: ModelRequest[] = [];
  const instead = (request: ModelRequest): string | undefined => {
    prompts.push(request);
    return more(request) ?? (request.purpose === 'synthesize' ? answer : judged(request));
  };
  const simulation = await simulateThoughts({ strategy: 'depth-first', options: OPTIONS, model: { instead } });
  await simulation.run();
  return { ...simulation, prompts };
}

const WRITTEN = `<answer>
The plan, with 32 days.
</answer>
<defects>
1. mended: two days of review are gone
3) **open** – nobody said who proves it
</defects>`;

describe('what judges name', () => {
  it('is kept with the thought, and reaches the next step, with what is still open and what was passed over', async () => {
    const { search, prompts } = await searched(WRITTEN);
    const first = nodeAt(search.tree, 'node_1');
    assert.deepEqual(first?.evaluation?.['defects'], DEFECTS['step.1']);
    assert.deepEqual(first?.evaluation?.dimension_scores, { 'It is dated': 9, 'It has owners': 4 });
    const next = prompts.find(({ purpose, node }) => purpose === 'generate' && node === 'node_1')?.prompt ?? '';
    for (const known of ['35 days are not 32.', '100 runs see no rare flake.', 'one week', 'Two engineers', 'Measure'])
      assert.ok(next.includes(known), known);
    assert.match(next, /does not meet yet, by number: 2 \(4 of 10\)\n/);
    assert.match(next, /step\.2\nAgainst it: It has no owner\./);
  });

  it('is numbered for the answer, which says of each that it is mended or open; the program adds what it left out', async () => {
    const { search, store, prompts } = await searched(WRITTEN);
    const asked = prompts.find(({ purpose }) => purpose === 'synthesize')?.prompt ?? '';
    assert.match(asked, /1\. 35 days are not 32\.\n2\. 100 runs see no rare flake\.\n3\. The proof overlaps/);
    const { answer = '' } = findingsIn(search.results, 'thoughts') ?? {};
    assert.ok(answer.startsWith('The plan, with 32 days.\n\n'));
    const [, mended = '', open = ''] =
      /Found and mended\*\*\n\n([\s\S]*?)\n\n\*\*Found and still open\*\*\n\n([\s\S]*)$/.exec(answer) ?? [];
    assert.equal(mended, '- 35 days are not 32. → two days of review are gone');
    assert.deepEqual(open.split('\n'), [
      '- 100 runs see no rare flake.',
      '- The proof overlaps the repairs. → nobody said who proves it',
    ]);
    assert.ok((await store.readReport())?.includes('Found and mended'));
    const { payload } = (await search.message()) as SearchComplete;
    assert.deepEqual(payload.final_solution?.verification?.validation_errors, [
      '100 runs see no rare flake.',
      'The proof overlaps the repairs.',
    ]);
  });

  it('is open in a report for which nobody wrote an answer', async () => {
    const { store } = await searched(' ');
    const report = (await store.readReport()) ?? '';
    for (const defect of [...(DEFECTS['step.1'] ?? []), ...(DEFECTS['step.1.1'] ?? [])])
      assert.ok(report.includes(`- ${defect}`), defect);
  });

  it('is carried on once where judges of two steps say it in other words, by the one that says most', async () => {
    const first = 'The restore trial compares counts with a server that goes on writing all night';
    const again =
      'The restore trial still compares counts with a server that goes on writing, and names no owner for it';
    const other =
      'The restore trial compares nothing with the attachments of the year before, which nobody ever looked at';
    const { search } = await searched('<answer>It</answer>', (request) => {
      const data = thoughtData(request.data);
      if (data.purpose !== 'evaluate') return undefined;
      const said = data.message.payload.candidates.map(({ id, content }) => ({
        id,
        score: content.endsWith('1') ? 8 : 6,
        defects: content === 'step.1' ? [first, 'It is late.'] : [again, 'It is late now.', other],
      }));
      return output({ evaluations: said });
    });
    const { answer = '' } = findingsIn(search.results, 'thoughts') ?? {};
    const listed = answer.split('\n').filter((line) => line.startsWith('- '));
    assert.deepEqual(listed, ['- It is late.', `- ${again}`, '- It is late now.', `- ${other}`]);
  });

  it('is open also where there were more than a request has room for', async () => {
    const many = Array.from({ length: 30 }, (_, n) => `Defect ${n + 1}.`);
    const { search } = await searched(WRITTEN, (request) => {
      const data = thoughtData(request.data);
      if (data.purpose !== 'evaluate') return undefined;
      const said = data.message.payload.candidates.map(({ id, content }) => ({
        id,
        score: content.endsWith('1') ? 8 : 6,
        defects: many.map((defect) => `${content}: ${defect}`),
      }));
      return output({ evaluations: said });
    });
    const { answer = '' } = findingsIn(search.results, 'thoughts') ?? {};
    const listed = answer.split('\n').filter((line) => line.startsWith('- step.1'));
    assert.equal(listed.length, 40, 'twenty of each of two steps, which is what is kept of one judgement');
  });

  it('says in the report why this way was chosen, and not the others', async () => {
    const { store } = await searched(WRITTEN);
    const report = (await store.readReport()) ?? '';
    assert.match(report, /## Its path\n\n1\. \[step\.1\].*about step\.1\.\n2\. \[step\.1\.1\].*about step\.1\.1/);
    assert.match(report, /## Still open\n\n- \[step\.2\].*about step\.2/);
  });

  it('comes with a title and the state that a step leads to', async () => {
    const { search, store, prompts } = await searched(WRITTEN, ({ purpose, node }) =>
      purpose === 'generate' && node === ''
        ? output([{ title: 'Shard first', content: 'step.1', leads_to: '7 minutes' }, { content: 'step.2' }])
        : undefined,
    );
    assert.equal(nodeAt(search.tree, 'node_1')?.title, 'Shard first');
    assert.match((await store.readDocument('node_1')) ?? '', /\nleads_to: 7 minutes\n[\s\S]*\nstep\.1/);
    const next = prompts.find(({ purpose, node }) => purpose === 'generate' && node === 'node_1')?.prompt ?? '';
    assert.ok(next.includes('<step>\nShard first:\nstep.1\nThis leads to: 7 minutes\n</step>'));
    assert.match((await store.readReport()) ?? '', /1\. \[Shard first\]/);
  });
});

describe('an answer', () => {
  it('says where no judge could score its steps', async () => {
    const { search, store } = await searched('The plan.', ({ purpose }) => (purpose === 'evaluate' ? 'no' : undefined));
    const said = 'No judge could score 2 of the 2 steps of this answer.';
    assert.ok(findingsIn(search.results, 'thoughts')?.answer?.startsWith(`${said}\n\nThe plan.`));
    assert.match((await store.readReport()) ?? '', /^# .*\n\nNo judge could score 2 of the 2 steps/);
    const { payload } = (await search.message()) as SearchComplete;
    assert.equal(payload.final_solution?.confidence, 0);
  });

  it('accounts for a defect by its number, however that is written, and only by what it says', () => {
    const said = (block: string): [number, number] => {
      const { mended, open } = accountedAnswer(`x\n<defects>\n${block}\n</defects>`, ['a', 'b']);
      return [mended.length, open.length];
    };
    assert.deepEqual(said('1. mended: x\n2. mended: y'), [2, 0]);
    assert.deepEqual(said('- (1) **Mended** — x\n2: open'), [1, 1]);
    assert.deepEqual(said('1. unmended\n2. mended\n2. open: late\n3. mended'), [1, 1]);
    assert.deepEqual(said('All mended.'), [0, 2]);
    assert.equal(accountedAnswer('The answer.\n<defects>\n1. mended', ['a']).answer, 'The answer.');
    assert.equal(accountedAnswer('Before <answer>It</answer> after', []).answer, 'It');
    assert.equal(accountedAnswer('<defects>\n1. mended\n<answer>\nIt\n</answer>', ['a']).answer, 'It');
  });

  it('is mended by no answer that is not there', async () => {
    const { store } = await searched('<answer></answer>\n<defects>\n1. mended: two days are gone\n</defects>');
    const report = (await store.readReport()) ?? '';
    assert.doesNotMatch(report, /Found and mended/);
    assert.match(report, /Found and still open\*\*\n\n- 35 days are not 32\.\n/);
  });
});
