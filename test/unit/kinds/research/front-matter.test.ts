import assert from 'node:assert/strict';
import { readFrontMatterRules } from '../../../../src/kinds/research/research-search.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { QUESTION, type Simulation, simulate } from '../../../support/searches/simulated-search.ts';

const RULES = {
  properties: {
    risk: { enum: ['low', 'high'] },
    files: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 2 },
    share: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['risk', 'owner'],
};

function searchWith(text: string): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(QUESTION, files);
  files.put('prompts/front-matter.json', text);
  return files;
}

const rulesIn = (rules: unknown): ReturnType<typeof readFrontMatterRules> =>
  readFrontMatterRules(
    createMemoryStore(QUESTION, searchWith(typeof rules === 'string' ? rules : JSON.stringify(rules))),
  );

describe('what a search asks of the front matter of its documents', () => {
  it('is read from a file; the prompt states it, and an answer without it is sent back', async () => {
    const files = searchWith(JSON.stringify({ properties: RULES.properties, required: ['risk'] }));
    const prompts: string[] = [];
    const made = (): Promise<Simulation> =>
      simulate({
        tree: { fanout: (_path, depth) => (depth === 0 ? 1 : 0) },
        store: createMemoryStore(QUESTION, files),
        model: {
          instead: ({ purpose, prompt }, attempt) => {
            if (purpose !== 'document') return undefined;
            prompts.push(prompt);
            return `---\nrisk: ${attempt === 1 ? 'some' : 'high'}\n---\nText.`;
          },
        },
        search: { limits: { size: 'all' } },
      });
    const simulation = await made();
    assert.equal((await simulation.run()).results.leaves, 1);
    assert.equal(prompts.length, 2);
    assert.match(prompts[0] ?? '', /JSON Schema says:\n\{"properties":\{"risk"/);
    assert.match(prompts[1] ?? '', /risk/);
    const [path = ''] = simulation.search.tree.root.children.map(({ slug }) => slug);
    assert.match((await simulation.store.readDocument(path)) ?? '', /\nrisk: high\n/);
  });

  it('checks values, lengths and what has to be there, and lets other fields pass', async () => {
    const { schema } = (await rulesIn(RULES)) ?? assert.fail();
    const passes = (data: object): boolean => schema.safeParse(data).success;
    assert.ok(passes({ risk: 'low', owner: 'me', files: ['a.ts'], share: 0.5, other: 1 }));
    assert.ok(passes({ risk: 'low', owner: 'me' }));
    for (const wrong of [
      { owner: 'me' },
      { risk: 'low' },
      { risk: 'none', owner: 'me' },
      { risk: 'low', owner: 'me', share: 2 },
      { risk: 'low', owner: 'me', files: 'a.ts' },
      { risk: 'low', owner: 'me', files: ['a', 'b', 'c'] },
      { risk: 'low', owner: 'me', files: ['a'.repeat(21)] },
    ])
      assert.ok(!passes(wrong), JSON.stringify(wrong));
  });

  for (const [what, rules, words] of [
    ['no JSON', '{', /^prompts\/front-matter\.json: this is not valid JSON\.$/],
    ['a pattern, which could take for ever', { properties: { a: { type: 'string', pattern: '(a+)+$' } } }, /pattern/],
    ['a reference', { properties: { a: { $ref: '#' } } }, /\$ref/],
    ['an unknown type', { properties: { a: { type: 'date' } } }, /properties\.a\.type/],
    ['a list', [], /front-matter\.json/],
    ['an endless text', ' '.repeat(10_001), /too long/],
  ] as const)
    it(`is refused with words: ${what}`, async () => {
      await assert.rejects(rulesIn(rules), { reason: 'bad-input', message: words });
    });
});
