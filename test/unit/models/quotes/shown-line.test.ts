import assert from 'node:assert/strict';
import { shownLine } from '../../../../src/models/quotes/lookup.ts';
import { signatureEnd } from '../../../../src/text/chunk/chunk-file.ts';
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

export const KINDS = [
  one,
  load,
];

export function less(a: number[], at: number): boolean { return a[0] < at && a[1] > at; }
`;

const PROSE = `# Leases

A lease tells who may write. Whoever holds it writes its name into the file,
and does so again every ten seconds. After thirty seconds without a sign of
life it is free. Then another one may take it.

- An item, which is
  wrapped.
- **Bold.** And what
  goes on with it.

One sentence that
goes on
and on
and on
and on
and on
without an end in sight.

\`\`\`ts
takeLease();
release();
\`\`\`
`;

const RUST = `pub fn read<R, B>(
    read: &mut R,
) -> usize
where
    R: AsyncRead,
{
    read.poll()
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
    assert.equal(at('KINDS', 13), 'export const KINDS = [');
    assert.match(at('less', 18), /return a\[0\] < at && a\[1\] > at;/);
  });

  it('is a whole sentence of wrapped prose, unless that is long', async () => {
    const index = await indexWorkspace(makeWorkspace({ 'a.md': PROSE }));
    const [passage] = index.passagesNamed('Leases', 'a.md');
    assert.ok(passage);
    const { file, start, end } = passage;
    const at = (row: number): string =>
      shownLine({ quote: { file, start, end, passage, lane: 'defined', named: false }, row });
    const whole = 'Whoever holds it writes its name into the file, and does so again every ten seconds.';
    assert.deepEqual([at(2), at(3)], [whole, 'After thirty seconds without a sign of life it is free.']);
    assert.equal(at(4), 'Then another one may take it.');
    assert.equal(at(6), '- An item, which is wrapped.');
    assert.equal(at(7), '- An item, which is wrapped.');
    assert.equal(at(9), 'And what goes on with it.');
    assert.equal(at(14), 'and on');
    assert.equal(at(21), 'release();');
  });

  it('is a whole signature with its bounds', async () => {
    const index = await indexWorkspace(makeWorkspace({ 'a.rs': RUST }));
    const [passage] = index.passagesNamed('read', 'a.rs');
    assert.ok(passage);
    const { file, start, end } = passage;
    const shown = shownLine({ quote: { file, start, end, passage, lane: 'defined', named: false }, row: 0 });
    assert.equal(shown, 'pub fn read<R, B>(read: &mut R) -> usize where R: AsyncRead, {');
    assert.equal(signatureEnd(passage), 5);
  });
});
