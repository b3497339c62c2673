import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { simulate } from '../../support/searches/simulated-search.ts';
import { simulateThoughts } from '../../support/searches/simulated-thoughts.ts';
import { toyLanguage } from '../../support/toy-language.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('a report in another language', () => {
  it('says all of its own in it, and leaves what the models wrote', async () => {
    const translation = { language: 'de', texts: await toyLanguage(ROOT) };
    const { run, store } = await simulate({
      tree: { fanout: (_path, depth) => (depth < 2 ? 3 : 0) },
      search: { translation, limits: { size: 'small' } },
    });
    await run();
    const report = (await store.readReport()) ?? '';
    for (const heading of report.match(/^## .*$/gm) ?? []) assert.match(heading, /^## ‹.*›$/);
    for (const heading of ['Topics', 'Sources', 'Open ends', 'What it cost'])
      assert.ok(report.includes(`## ‹${heading}›`));
    const [, cost = ''] = report.split('## ‹What it cost›');
    for (const line of cost.trim().split('\n')) assert.match(line, /^- ‹.*›$/);
    assert.match(cost, /‹Tokens: [\d.]+: ‹[\d.]+ sent/);
    assert.match(report, /‹The documents cite nothing\.›/);
  });

  it('is the same for a search for a solution', async () => {
    const translation = { language: 'de', texts: await toyLanguage(ROOT) };
    const { run, store } = await simulateThoughts({ search: { translation } } as never);
    await run();
    const report = (await store.readReport()) ?? '';
    for (const heading of report.match(/^## .*$/gm) ?? []) assert.match(heading, /^## ‹.*›$/);
    assert.match(report, /## ‹Figures›\n\n- ‹Strategy: /);
  });
});
