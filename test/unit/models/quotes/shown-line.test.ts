import assert from 'node:assert/strict';
import { shownLine } from '../../../../src/models/quotes/lookup/shown-line.ts';
import { indexWorkspace } from '../../../../src/text/index/workspace-indexes.ts';
import { makeWorkspace, removeWorkspaces } from '../../../support/quotes/quotes-workspace.ts';

const CODE = `export async function load(
  files: string[],
  { cache = true, folder },
): Promise<void> {
  for (const file of files) await open(
    file,
  );
}

export function one(a: string): void {
  two(a);
}
`;

describe('a line that is shown by itself', () => {
  after(removeWorkspaces);

  it('is a whole signature, but else no more than itself', async () => {
    const index = await indexWorkspace(makeWorkspace({ 'a.ts': CODE }));
    const at = (name: string, row: number): string => {
      const [passage] = index.passagesNamed(name, 'a.ts');
      assert.ok(passage);
      const { file, start, end } = passage;
      return shownLine({ quote: { file, start, end, passage, lane: 'defined', named: false }, row });
    };
    assert.equal(
      at('load', 0),
      'export async function load(files: string[], { cache = true, folder }): Promise<void> {',
    );
    assert.equal(at('load', 4), 'for (const file of files) await open(');
    assert.equal(at('one', 9), 'export function one(a: string): void {');
  });
});
