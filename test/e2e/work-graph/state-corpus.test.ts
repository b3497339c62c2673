import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '../../support/effort.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type CliEnd, runCli } from '../cli/run-cli.ts';
import { UserRepository } from './user-repository.ts';

// State files as the original, editors and models write them, put together from pieces: each of them comes through the disk
// with all its bytes, and says what it said.

/** An atom as a case tells of it: its status, what it waits for, its group, what it is a part of, and its binding's YAML. */
interface CaseAtom {
  readonly is?: 'pending' | 'in_progress' | 'resolved';
  readonly after?: string;
  readonly group?: string;
  readonly of?: string;
  readonly binding?: string;
}

interface Case {
  readonly atoms: Readonly<Record<string, CaseAtom>>;
  readonly control?: string;
  /** Further lines of YAML. */
  readonly more?: string;
  /** How the whole is changed in the end. */
  readonly as?: (text: string) => string;
}

const BOUND = '{summary: Done, artifacts: [a.md]}';
const done = (binding = BOUND): CaseAtom => ({ is: 'resolved', binding });
const GROUP = 'or_groups:\n  how: {choices: [A1, A2], selected: A1, failed: []}\n';
const SWITCHED =
  'or_groups:\n  how:\n    choices: [A1, A2]\n    selected: A2\n    failed:\n      - A1\n' +
  'trail:\n  - {or_group: how, selected: A2, reason: "slow: \\"very\\"", timestamp: "2026-01-15T10:00:00+09:00"}\n';
const SPLIT = 'decompositions:\n  - {parent: A1, children: [A2, A3], reason: too large}\n';
const ways = (first: CaseAtom, second: CaseAtom, third: CaseAtom) => ({
  A1: { group: 'how', ...first },
  A2: { group: 'how', ...second },
  A3: third,
});
const parts = (whole: CaseAtom, first: CaseAtom, second: CaseAtom) => ({
  A1: whole,
  A2: { of: 'A1', ...first },
  A3: { of: 'A1', ...second },
});

const CASES: Readonly<Record<string, Case>> = {
  'one pending atom': { atoms: { A1: {} } },
  'one atom under way': { atoms: { A1: { is: 'in_progress' } } },
  'one resolved atom': { atoms: { A1: done() } },
  'resolved without a binding': { atoms: { A1: { is: 'resolved' }, A2: { after: '[A1]' } } },
  'resolved with an empty binding': { atoms: { A1: done('{}'), A2: { after: '[A1]' } } },
  'resolved with a binding that is null': { atoms: { A1: done('~'), A2: { after: '[A1]' } } },
  'resolved with an empty summary': { atoms: { A1: done('{summary: "", artifacts: []}'), A2: { after: '[A1]' } } },
  'resolved with artifacts alone': { atoms: { A1: done('{artifacts: [x, "y z"]}'), A2: { after: '[A1]' } } },
  'resolved with a text as binding': { atoms: { A1: done('"It is done: all"'), A2: { after: '[A1]' } } },
  'resolved with a summary of several lines': {
    atoms: { A1: done('\n    summary: |\n      First\n      --- no end\n    artifacts: []'), A2: { after: '[A1]' } },
  },
  'a chain in the middle': { atoms: { A1: done(), A2: { is: 'in_progress', after: '[A1]' }, A3: { after: '[A2]' } } },
  'a chain at its end': {
    atoms: { A1: done(), A2: { ...done(), after: '[A1]' }, A3: { is: 'resolved', after: '[A2]' } },
  },
  'a diamond': {
    atoms: { A1: done(), A2: { after: '[A1]' }, A3: { ...done(), after: '[A1]' }, A4: { after: '[A2, A3]' } },
  },
  'dependencies in block style': { atoms: { A1: done(), A2: {}, A3: { after: '\n      - A1\n      - A2' } } },
  'a dependency that is no list': { atoms: { A1: done(), A2: { after: 'A1' } } },
  'a dependency on what does not exist': { atoms: { A1: done(), A2: { after: '[Z9]' } } },
  'a binding of an atom that is pending': { atoms: { A1: { binding: BOUND }, A2: { after: '[A1]' } } },
  'a binding of what does not exist': { atoms: { A1: done() }, more: '' },
  alternatives: { atoms: ways({}, {}, { after: '[A1]' }), more: GROUP },
  'alternatives, the first resolved': { atoms: ways(done(), {}, { after: '[A1]' }), more: GROUP },
  'alternatives, resolved without a binding': { atoms: ways({ is: 'resolved' }, {}, { after: '[how]' }), more: GROUP },
  'alternatives, others wait for the group': { atoms: ways({}, {}, { after: '[how]' }), more: GROUP },
  'alternatives, switched': { atoms: ways({}, {}, { after: '[A1]' }), more: SWITCHED },
  'alternatives, switched and resolved': { atoms: ways({}, done(), { after: '[how]' }), more: SWITCHED },
  'alternatives, both resolved': { atoms: ways(done(), done('~'), { after: '[A2]' }), more: GROUP },
  'alternatives that only atoms name': { atoms: ways({}, {}, { after: '[how]' }) },
  'a choice without an atom': {
    atoms: ways({}, {}, {}),
    more: 'or_groups:\n  how: {choices: [A1, A2, A9_alt], selected: null}\n',
  },
  parts: { atoms: parts({}, {}, { after: '[A2]' }), more: SPLIT },
  'parts, one of them resolved': { atoms: parts({}, { is: 'resolved' }, { after: '[A2]' }), more: SPLIT },
  'parts, all resolved': {
    atoms: parts(done('{summary: "Completed via A2, A3 resolution", artifacts: []}'), done(), { is: 'resolved' }),
    more: SPLIT,
  },
  'parts, all resolved, and the whole in its own words': {
    atoms: parts(done('all of it'), done(), { is: 'resolved' }),
    more: SPLIT,
  },
  'parts that only the list names': {
    atoms: { A1: {}, A2: { is: 'resolved' }, A3: {} },
    more: SPLIT,
  },
  'pending, not begun': { atoms: { A1: {}, A2: { after: '[A1]' } }, control: '{status: pending, iteration: 0}' },
  'stopped, with a reason': {
    atoms: { A1: { is: 'resolved' }, A2: {} },
    control: '\n  status: stopped\n  iteration: 20\n  stop_reason: Max iterations reached',
  },
  completed: {
    atoms: { A1: done(), A2: { is: 'resolved', after: '[A1]' } },
    control: '\n  status: completed\n  iteration: 4',
  },
  'completed, with a comment': {
    atoms: { A1: { is: 'resolved' } },
    control: '\n  iteration: 4\n  status: completed',
    more: '# the end\n',
  },
  'with corrections': {
    atoms: { A1: done(), A2: { is: 'resolved' } },
    more: 'corrections:\n  - {timestamp: "2026-01-15T10:00:00Z", type: bindings_override, description: "said \\"so\\"", trail_cleared: false}\n',
  },
  'with sections that are null': { atoms: { A1: { is: 'resolved' } }, more: 'trail:\ncorrections: ~\nor_groups: {}\n' },
  'with sections that nobody knows': {
    atoms: { A1: { is: 'resolved' } },
    more: 'metrics: {tokens: 12_000, spent: 0x1F, at: 2026-01-15}\n',
  },
  'with comments everywhere': {
    atoms: { A1: done(), A2: { is: 'resolved' } },
    as: (text) => text.replace(/^( +- id: \S+| {4}status: \S+)$/gm, '$1   # as it was'),
  },
  'with quotes around everything': {
    atoms: { A1: { is: 'resolved' }, A2: { after: '["A1"]' } },
    as: (text) => text.replace(/^( +(?:- id|description): )(.+)$/gm, "$1'$2'"),
  },
  'with lists that are not indented': {
    atoms: { A1: done(), A2: { is: 'resolved', after: '[A1]' } },
    as: (text) => text.replace(/^ {2}- id/gm, '- id').replace(/^ {4}(description|status|depends_on)/gm, '  $1'),
  },
  'with line ends of Windows': {
    atoms: ways(done(), {}, { is: 'resolved' }),
    as: (text) => text.replaceAll('\n', '\r\n'),
  },
  'with a byte order mark': { atoms: { A1: { is: 'resolved' } }, as: (text) => `\ufeff${text}` },
  'in other scripts': {
    atoms: { A1: done('{summary: "完了：テスト 🎉", artifacts: [設計.md]}'), A2: { is: 'resolved' } },
    as: (text) => text.replace('The atom A2', 'Größe prüfen — مرحبا'),
  },
  'without an end of line': { atoms: { A1: { is: 'resolved' } }, as: (text) => text.trimEnd() },
};

function fileOf({
  atoms,
  control = '\n  status: running\n  iteration: 3',
  more = '',
  as = (text) => text,
}: Case): string {
  const listed = Object.entries(atoms).map(([id, { is = 'pending', after = '[]', group, of }]) =>
    [
      `  - id: ${id}`,
      `    description: The atom ${id}`,
      `    status: ${is}`,
      `    depends_on: ${after}`,
      ...(group ? [`    or_group: ${group}`] : []),
      ...(of ? [`    decomposed_from: ${of}`] : []),
    ].join('\n'),
  );
  const bound = Object.entries(atoms).flatMap(([id, { binding }]) => (binding ? [`  ${id}: ${binding}`] : []));
  const bindings = bound.length > 0 ? `bindings:\n${bound.join('\n')}\n` : 'bindings: {}\n';
  const objective = 'objective:\n  goal: All of it\n  base_case: {type: command, value: npm test}\n';
  const yaml = `${objective}control: ${control}\natoms:\n${listed.join('\n')}\n${bindings}${more}`;
  return as(`---\n${yaml}---\n\n# Original Prompt\n\nAll of it.\n`);
}

/** What is refused, with the line that is wrong. */
const REFUSED: readonly (readonly [what: string, change: (text: string) => string, line: number])[] = [
  ['atoms that are null', (text) => text.replace(/^atoms:\n(?: {2}.*\n)+/m, 'atoms:\n'), 8],
  ['a goal that is null', (text) => text.replace('goal: All of it', 'goal:'), 3],
  ['a base case that is null', (text) => text.replace('{type: command, value: npm test}', '~'), 4],
  ['an atom without an id', (text) => text.replace('- id: A2', '- name: A2'), 13],
  ['an id that is null', (text) => text.replace('- id: A2', '- id:'), 13],
  ['a status that nobody knows', (text) => text.replace('status: resolved', 'status: done'), 11],
];

describe('state files of all kinds, through the built command and the disk', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = temporaryFolder('state-corpus');
  });

  async function run(code: number, ...args: string[]): Promise<CliEnd> {
    const end = await runCli(args, { cwd });
    assert.equal(end.code, code, `${end.stderr}\n${end.stdout}`);
    return end;
  }

  for (const [name, given] of someOf(Object.entries(CASES), 8))
    it(`${name}: what was done is done, and every byte stays but of what runs`, async () => {
      const text = fileOf(given);
      await writeFile(join(cwd, 'in.md'), text);
      await run(0, 'import', 'in.md', '--dir', 'goal');
      const { stdout } = await run(0, 'status', 'goal', '--json');
      const said = nodesIn(JSON.parse(stdout)).flatMap((node) => {
        const { atom, state } = node as { atom?: string; state?: string };
        return atom === undefined ? [] : [[atom, state]];
      });
      const states = Object.entries(given.atoms).map(([id, { is }]) => [id, is === 'resolved' ? is : 'pending']);
      assert.deepEqual(said.sort(), states);
      await run(0, 'export', 'goal', '--format', 'aot-state', '--out', 'out.md');
      const expected = text
        .replace(/(^ {2}|\{)status: (?:running|pending)\b/m, '$1status: stopped')
        .replaceAll('status: in_progress', 'status: pending');
      assert.equal(await readFile(join(cwd, 'out.md'), 'utf8'), expected);
    });

  for (const [what, change, line] of someOf(REFUSED, 2))
    it(`${what}: refused with its line`, async () => {
      await writeFile(join(cwd, 'in.md'), change(fileOf({ atoms: { A1: { is: 'resolved' }, A2: {} } })));
      const { stderr } = await run(1, 'import', 'in.md', '--dir', 'goal');
      assert.ok(stderr.includes(`in.md, line ${line}: `), stderr);
    });

  it('says that a goal is completed once it is reached', async () => {
    const user = await UserRepository.make({ 'a.md': 'a' });
    try {
      const text = fileOf({ atoms: { A1: { is: 'resolved' } } });
      await writeFile(join(user.folder, 'in.md'), text.replace('npm test', 'test -f a.md'));
      for (const args of [
        ['import', 'in.md', '--dir', 'goal'],
        ['resume', 'goal', '--allow-commands'],
      ]) {
        const { code, stderr } = await user.cli(...args);
        assert.equal(code, 0, stderr);
      }
      const { stdout } = await user.cli('export', 'goal', '--format', 'aot-state');
      assert.match(stdout, /^ {2}status: completed$/m);
    } finally {
      await user.remove();
    }
  });
});

/** All objects in a value, at any depth. */
function nodesIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(nodesIn)];
}
