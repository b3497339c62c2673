import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { CodeLens, TextDocument } from 'vscode';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { fake, Uri } from '../fake-vscode.ts';
import { restingAt, sampleLibrary, sampleSearch } from '../sidebar/sample.ts';

const { PlanLenses } = await import('../../../../src/extension/documents/plan-lenses.ts');

function lensesFor(search: FollowedSearch, file: string) {
  const { library, tell } = sampleLibrary(search);
  const nodeOf = () => ({ search, path: '' });
  const lenses = new PlanLenses(Object.assign(library, { nodeOf }));
  tell();
  const found = lenses.provideCodeLenses({ uri: Uri.file(file) } as unknown as TextDocument) as CodeLens[];
  const [, plans] = fake.contexts.find(([key]) => key === 'thoughtTree.plans') ?? [];
  return { titles: found.map(({ command }) => command?.title), command: found[0]?.command, plans };
}

describe('the plan of a search that has not begun', () => {
  beforeEach(() => fake.reset());

  it('has a button that starts the search, in its first line and in the title of its tab', () => {
    const search = sampleSearch({ folder: '/w/puzzle', title: '1 2 3 4', state: 'paused' });
    const { titles, command, plans } = lensesFor(search, '/w/puzzle/decomposition.json');
    assert.deepEqual(titles, ['$(play) Start "1 2 3 4"']);
    assert.equal(command?.command, 'thoughtTree.startPlanned');
    assert.deepEqual(plans, ['/w/puzzle/decomposition.json', '/w/puzzle/plan.yaml']);
    assert.deepEqual(lensesFor(search, '/w/puzzle/search.json').titles, []);
  });

  it('has none once the search runs, or has begun', () => {
    const running = sampleSearch({ folder: '/w/puzzle', state: 'running' });
    assert.deepEqual(lensesFor(running, '/w/puzzle/plan.yaml').titles, []);
    const begun = sampleSearch({ folder: '/w/puzzle', state: 'paused', record: restingAt('calls', 5) });
    assert.deepEqual(lensesFor(begun, '/w/puzzle/plan.yaml').titles, []);
  });
});
