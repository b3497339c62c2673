import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Toolbox, ToolUse } from '../../../src/core/ports/tool.ts';
import { openToolbox } from '../../../src/searches/tools/tools.ts';

const QUEUE = `import { wait } from './wait.ts';

/** Holds jobs. */
export class Queue {
  #jobs: string[] = [];

  /** Adds one. */
  push(
    job: string,
    isUrgent: boolean,
  ): void {
    // push is quick
    this.#jobs.push(job);
    console.log('push', isUrgent);
  }
}

export function drain(queue: Queue): void {
  queue.push('last', true);
  wait();
}
`;

describe('the tools that read', () => {
  let workspace: string;
  let toolbox: Toolbox;

  const use = (name: string, input: unknown): Promise<ToolUse> =>
    toolbox.use({ id: '1', name, input }, new AbortController().signal);
  const text = async (name: string, input: unknown): Promise<string> => (await use(name, input)).text;
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), content);
  };

  beforeEach(async () => {
    workspace = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-reading-')));
    await write('src/queue.ts', QUEUE);
    await write('src/wait.ts', 'export function wait() {}\n');
    await write('src/use.py', 'def push(job):\n    """push"""\n    return push(job)\n');
    await write('README.md', '# Queue\n\nIt has a push.\n\n## How to push\n\nSo.\n');
    toolbox = openToolbox(workspace);
  });
  afterEach(() => rm(workspace, { recursive: true, force: true }));

  it('read what a file defines by its name, and say where else it is', async () => {
    const push = await text('read', { path: 'src/queue.ts', symbol: 'push' });
    assert.match(push, /^src\/queue\.ts, lines 7 to 15 of 21:\n7\t.*\n8\t {2}push\(\n[\s\S]*\n15\t {2}\}$/);
    for (const symbol of ['Queue.push', 'Queue#push', 'queue.Queue.push()'])
      assert.equal(await text('read', { path: 'src/queue.ts', symbol }), push, symbol);
    assert.match(await text('read', { path: 'README.md', symbol: 'How to push' }), /^README\.md, lines 5 to 7 of 7:/);

    const none = await use('read', { path: 'src/queue.ts', symbol: 'pop' });
    assert.deepEqual(none, {
      ...none,
      isRefused: true,
      text: 'src/queue.ts defines no "pop". Look with outline or search.',
    });
    assert.match(await text('read', { path: 'src/queue.ts', symbol: 'pop', from: 3, to: 4 }), /lines 3 to 4 of 21/);
  });

  it('read a symbol as each language has it, with what belongs to it', async () => {
    const files = {
      'two.py': [
        'LIMIT = 3\n\n\nclass A:\n    def __init__(self):\n        pass\n\n    # May wait.\n    @property',
        '    def go(self):\n        pass\n\n    @go.setter\n    def go(self, to):\n        pass\n',
        '\nclass B:\n    def go(self):\n        return LIMIT\n',
      ],
      'two.rb': [
        'class Pool',
        '  def closed?',
        '    true',
        '  end',
        '',
        '  def size=(to)',
        '    @size = to',
        '  end',
        'end',
      ],
      'two.rs': [
        'trait Job {\n    fn run(&self);\n}\n\nimpl<F, R> Job for Stack<F, R> {\n    /// Runs it.\n    #[inline]',
        '    fn run(&self) {\n        (self.f)();\n    }\n}\n\nimpl Job for Heap {\n    fn run(&self) {\n        go();\n    }\n}',
      ],
      'two.go': ['package two\n\n// Run runs.\nfunc (p *Pool) Run() {\n\tgo p.loop()\n}'],
      'two.js': ['Pool.prototype.send = function () {\n  return 1\n}\n\nconst a = () => {\n  send()\n  b()\n}'],
      'two.ts': [
        'export function of(a: 1): 1\nexport function of(a: 2): 2\nexport function of(a: unknown) {\n  return a\n}',
      ],
    };
    for (const [name, lines] of Object.entries(files)) await write(name, `${lines.join('\n')}\n`);
    toolbox = openToolbox(workspace);
    const expected = {
      'two.py': { 'A.__init__': '5 to 6', 'A.go': '8 to 11, 13 to 15', 'B.go': '19 to 20', 'x.B.go': '19 to 20' },
      'two.rb': { 'Pool#closed?': '2 to 4', closed: '2 to 4', size: '6 to 8' },
      'two.rs': {
        'Stack::run': '6 to 10',
        '<Stack<F, R> as Job>::run': '6 to 10',
        'Job::run': '2 to 2',
        run: '2 to 2, 6 to 10, 14 to 16',
      },
      'two.go': { '(*Pool).Run': '3 to 6', 'Pool.Run': '3 to 6' },
      'two.js': { 'Pool.prototype.send': '1 to 3', send: '1 to 3' },
      'two.ts': { of: '1 to 1, 2 to 2, 3 to 5' },
    };
    for (const [path, symbols] of Object.entries(expected))
      for (const [symbol, lines] of Object.entries(symbols)) {
        const [head] = (await text('read', { path, symbol })).split('\n');
        assert.equal(head?.replace(/ of \d+:$/, ''), `${path}, lines ${lines}`, symbol);
      }
    assert.match(await text('find_references', { symbol: 'closed?' }), /^Defined:\ntwo\.rb:2-4\t/);
  });

  it('name other definitions that are too long, and find those of another file, or what is only named', async () => {
    const method = (lines: number): string => `    def go(self):\n${'        go()\n'.repeat(lines)}\n`;
    await write('long.py', `class A:\n${method(100)}class B:\n${method(80)}class C:\n${method(2)}`);
    await write('other.py', 'SIZE = 1\n\ndef only():\n    return SIZE\n');
    toolbox = openToolbox(workspace);
    const long = await text('read', { path: 'long.py', symbol: 'go' });
    assert.match(long, /^long\.py, lines 2 to 102, 188 to 190 of 191:\n/);
    assert.match(long, /\n--\n188\t[\s\S]*\nAlso defined in lines 105-185\.$/);
    assert.match(
      await text('read', { path: 'long.py', symbol: 'only' }),
      /^long\.py defines no "only"\. This is from another file\.\nother\.py, lines 3 to 4 of 4:\n3\tdef only/,
    );
    assert.match(
      await text('read', { path: 'other.py', symbol: 'SIZE' }),
      /^other\.py defines no "SIZE"\. These lines name it\.\nother\.py, lines 1 to 4 of 4:\n1\tSIZE = 1\n/,
    );
    assert.match(
      await text('read', { path: 'src/queue.ts', symbol: 'C.go' }),
      /^src\/queue\.ts defines no "C\.go"\. This is from another file\.\nlong\.py, lines 188 to 190/,
    );
    assert.match(
      await text('read', { path: 'src/queue.ts', symbol: 'Stack.push' }),
      /^src\/queue\.ts defines no "Stack\.push"\. This is from another file\.\nsrc\/use\.py/,
    );
    assert.match(
      await text('read', { path: 'src/queue.ts', symbol: 'Stack.drain' }),
      /^src\/queue\.ts, lines 18 to 21/,
    );
    assert.match(
      await text('read', { path: 'long.py', symbol: 'D.go' }),
      /^long\.py defines no "D\.go"\. It defines this\.\nlong\.py, lines 2 to 102, 188 to 190/,
    );
    // Documents and tests name a class like it; what only holds its letters is not looked at.
    assert.match(
      await text('read', { path: 'other.py', symbol: 'Queue' }),
      /^other\.py defines no "Queue"\. This is from another file\.\nsrc\/queue\.ts, lines 3 to 16/,
    );
    assert.match(await text('read', { path: 'other.py', symbol: '**', from: 1, to: 3 }), /^other\.py, lines 1 to 3/);
    assert.match(await text('read', { path: 'other.py', symbol: '**' }), /^read needs a name as "symbol"/);
    assert.match(
      await text('read', { path: 'other.py', symbol: 'push' }),
      /^other\.py defines no "push"\. Others do: src\/queue\.ts:7-15, src\/use\.py:1-3\.$/,
    );
  });

  it('outline a file by its symbols, and a document by its headings', async () => {
    assert.equal(
      await text('outline', { path: 'src/queue.ts' }),
      [
        'src/queue.ts, 21 lines:',
        '4-16\texport class Queue {',
        '8-15\t  push( job: string, isUrgent: boolean, ): void {',
        '18-21\texport function drain(queue: Queue): void {',
      ].join('\n'),
    );
    assert.equal(
      await text('outline', { path: 'README.md' }),
      'README.md, 7 lines:\n1-4\t# Queue\n5-7\t## How to push',
    );
    assert.match((await use('outline', { path: 'src' })).text, /^That is a folder\./);
  });

  it('find where a symbol is defined and used, but not in comments and strings', async () => {
    assert.equal(
      await text('find_references', { symbol: 'Queue#push', path: 'src/queue.ts' }),
      [
        'Defined:',
        'src/queue.ts:8-15\tpush( job: string, isUrgent: boolean, ): void {',
        'Used in 2 lines of 1 file:',
        'src/queue.ts (in Queue#push)',
        '13\t    this.#jobs.push(job);',
        'src/queue.ts (in drain)',
        "19\t  queue.push('last', true);",
      ].join('\n'),
    );
    const all = await text('find_references', { symbol: 'push' });
    assert.match(all, /^src\/use\.py:1-3\tdef push\(job\):$/m);
    assert.match(all, /^src\/use\.py \(in push\)\n3\t {4}return push\(job\)$/m);
    assert.equal(
      await text('find_references', { symbol: 'pus' }),
      'No code names pus. Names are compared with their capitals.',
    );
    await write('many.ts', Array.from({ length: 100 }, (_, i) => `wait(${i});`).join('\n'));
    toolbox = openToolbox(workspace);
    const first = await text('find_references', { symbol: 'wait' });
    assert.match(first, /… and 42 more lines\. Go on with "offset": 60\.$/);
    const rest = await text('find_references', { symbol: 'wait', offset: 60 });
    assert.match(rest, /^many\.ts\n61\twait\(60\);$/m);
    assert.doesNotMatch(rest, /Go on/);
  });

  it('show lines around matches, once each', async () => {
    assert.equal(
      await text('search', { pattern: '^\\s+wait|last', path: 'src', context: 1 }),
      [
        'src/queue.ts',
        '18-\texport function drain(queue: Queue): void {',
        "19\t  queue.push('last', true);",
        '20\t  wait();',
        '21-\t}',
      ].join('\n'),
    );
    const apart = await text('search', { pattern: 'class|drain', path: 'src/queue.ts', context: 1 });
    assert.match(apart, /^5-\t {2}#jobs.*\n--\n17-\t\n18\texport/m);
  });

  it('tell capitals apart only in a pattern that has some', async () => {
    const rows = async (input: object): Promise<number> =>
      (await text('search', input)).split('\n').filter((row) => /^\d+\t/.test(row)).length;
    assert.equal(await rows({ pattern: 'queue', path: 'src/queue.ts' }), 3);
    assert.equal(await rows({ pattern: 'Queue', path: 'src/queue.ts' }), 2);
    assert.equal(await rows({ pattern: 'QUEUE', path: 'src/queue.ts', ignore_case: true }), 3);
    assert.equal(await rows({ pattern: 'queue', path: 'src/queue.ts', ignore_case: 'false' }), 2);
    assert.equal(await rows({ pattern: '(?i)QUEUE', path: 'src/queue.ts' }), 3);
    assert.equal(await rows({ pattern: '\\Sueue\\W', path: 'src/queue.ts' }), 3);
  });

  it('search for a pattern that is none as text, and say so', async () => {
    const found = await use('search', { pattern: 'push(', glob: '*.py' });
    assert.equal(found.isRefused, false);
    assert.match(
      found.text,
      /^As a pattern, it is no regular expression \(.*\); it was searched for as plain text\.\nsrc\/use\.py\n1\t/,
    );
    assert.match(await text('search', { pattern: 'push\\(job):', glob: '*.py' }), /plain text\.\nsrc\/use\.py\n1\t/);
    for (const pattern of ['(?=push)', '(?<!x)push', '(p)\\1', 'a\\nb', 'a'.repeat(600), 'a{1000}'.repeat(5)]) {
      const { text: why, isRefused } = await use('search', { pattern });
      assert.deepEqual([pattern, isRefused], [pattern, true]);
      assert.match(why, /^That pattern cannot be used: |^search needs "pattern"/);
    }
  });

  it('fill what was asked for where some of the files have few lines', async () => {
    await write('a.ts', 'plum();\n'.repeat(40));
    await write('b.ts', 'plum();\n'.repeat(8));
    await write('c.ts', 'plum();\n');
    // It comes first, and has more lines than are shown.
    await write('a-bundle.js', `${'plum();\n'.repeat(50)}//# sourceMappingURL=a-bundle.js.map\n`);
    toolbox = openToolbox(workspace);
    const found = await text('search', { pattern: 'plum', limit: 30 });
    assert.deepEqual(
      found.split('\n').filter((row) => !/^\d+\t/.test(row)),
      [
        'a.ts (21 of 40 lines)',
        'b.ts',
        'c.ts',
        'Lines 1 to 30 of 49 lines in 3 files. At most 21 of each file are shown: give one as "path" for all of its lines, or a higher "limit". Left out: a-bundle.js (built or generated; 50 lines).',
      ],
    );
    const all = await text('search', { pattern: 'plum', limit: 50 });
    assert.equal(all.split('\n').filter((row) => /^\d+\t/.test(row)).length, 49);
    assert.doesNotMatch(all, /Go on|There are no more/);
  });

  it('leave out what a build made of other files, unless it is named', async () => {
    await write('dist/queue.js', QUEUE);
    await write('bundle.js', `${QUEUE}//# sourceMappingURL=bundle.js.map\n`);
    await write('package-lock.json', '{ "queue": 1 }\n');
    toolbox = openToolbox(workspace);
    const found = await text('search', { pattern: 'class Queue' });
    assert.match(found, /^src\/queue\.ts\n4\t.*\nLeft out: bundle\.js \(built or generated; 1 lines\)\.$/);
    for (const path of ['dist', 'dist/queue.js', 'bundle.js'])
      assert.match(await text('search', { pattern: 'class Queue', path }), /^\S+\.js\n4\texport class Queue/);
    assert.match(await text('search', { pattern: 'queue', path: 'package-lock.json' }), /^package-lock\.json\n1\t/);
    assert.match(
      await text('search', { pattern: 'nowhere' }),
      /^No line matches\. Not searched: dist\/queue\.js \(built or generated\); package-lock\.json \(lock file\)\.$/,
    );
    assert.match(await text('list', {}), /^Not listed: dist\/queue\.js \(built or generated\); package-lock/m);
  });

  it('take the names of tools and arguments that models know from elsewhere', async () => {
    const read = await text('read', { path: 'src/queue.ts', from: 4, to: 5 });
    for (const [name, input] of [
      ['read_lines', { path: 'src/queue.ts', from: 4, to: 5 }],
      ['read_file', { file_path: 'src/queue.ts', offset: 4, limit: 2 }],
      ['Read', { filename: 'src/queue.ts', start_line: '4', end_line: '5' }],
      ['view', '{"file": "./src/queue.ts", "start": 4, "end": 5}'],
    ] as const)
      assert.equal(await text(name, input), read, name);
    const found = await text('search', { pattern: 'drain', path: 'src' });
    for (const [name, input] of [
      ['grep', { query: 'drain', dir: 'src' }],
      ['Grep', { regex: 'drain', folder: 'src', '-n': true, head_limit: '30', path: null }],
      ['search_text', { text: 'DRAIN', folder: 'src' }],
    ] as const)
      assert.equal(await text(name, input), found, name);
    assert.equal(await text('list_files', { path: 'src' }), await text('list', { folder: 'src' }));
    assert.equal(await text('search_text', { text: 'a.b(' }), 'No line matches.');
  });

  it('say in one sentence what to send instead', async () => {
    const needs =
      'search needs "pattern" (a string of at most 500 characters), for example {"pattern":"setTimeout\\\\("}.';
    for (const input of [undefined, null, {}, { pattern: '' }, { pattern: ['a'] }, { pattern: 'x'.repeat(501) }])
      assert.deepEqual(await use('search', input).then(({ text: said, isRefused }) => [said, isRefused]), [
        needs,
        true,
      ]);
    const refused = {
      'search takes an object, for example': [7, 'a', []],
      'search has no "colour"; it takes "pattern", "path", "glob", "ignore_case", "context", "offset" and "limit", for':
        [{ pattern: 'a', colour: 1 }],
      'search takes "context" as a whole number from 0 to 10, for': [
        { pattern: 'a', context: 'many' },
        { pattern: 'a', context: -1 },
      ],
      'search takes "ignore_case" as true or false, for': [{ pattern: 'a', ignore_case: 'yes' }],
    };
    for (const [start, inputs] of Object.entries(refused))
      for (const input of inputs) {
        const { text: said, isRefused } = await use('search', input);
        assert.deepEqual([said.slice(0, start.length), isRefused], [start, true]);
        assert.doesNotMatch(said, /invalid|expected/i);
      }
    assert.equal(
      (await use('search', { pattern: 'wait', context: 99 })).isRefused,
      false,
      'too much counts as the most',
    );
    assert.match(
      await text('run_command', { command: 'ls' }),
      /There are: search, read, list, outline, find_references\.$/,
    );
    assert.match(await text('list', { glob: '[z-a].ts' }), /^The glob cannot be used: /);
  });

  it('see what was written since', async () => {
    assert.equal(await text('search', { pattern: 'quokka' }), 'No line matches.');
    await write('src/wait.ts', 'export function wait() {} // quokka\n');
    assert.match(await text('search', { pattern: 'quokka' }), /^src\/wait\.ts\n1\t/);
    // As long, and as old to the second.
    await write('src/wait.ts', 'export function wait() {} // wombat\n');
    await utimes(join(workspace, 'src/wait.ts'), 1, 1);
    assert.equal(await text('search', { pattern: 'quokka' }), 'No line matches.');
    assert.match(await text('search', { pattern: 'wombat' }), /^src\/wait\.ts\n1\t/);
  });

  it('do not search behind links', async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'thought-tree-outside-')));
    await writeFile(join(outside, 'queue.ts'), 'quokka\n');
    await text('search', { pattern: 'quokka' });
    await rm(join(workspace, 'src'), { recursive: true });
    await symlink(outside, join(workspace, 'src'));
    assert.equal(await text('search', { pattern: 'quokka' }), 'No line matches.');
    await rm(outside, { recursive: true });
  });
});
