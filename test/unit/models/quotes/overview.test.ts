import assert from 'node:assert/strict';
import { type Lookup, type LookupPlace, lookupIn } from '../../../../src/core/ports/workspace-text.ts';
import { asksForOverview } from '../../../../src/text/rank/asked-for.ts';
import { someOf } from '../../../support/effort.ts';
import { ask, below, childrenOf, documentOf } from '../../../support/quotes/quotes-workspace.ts';
import { closeModels, modelWith } from '../../../support/quotes/shared-models.ts';

const CODE = {
  'README.md':
    '# Jobs\n\n[![badge](x.svg)](y)\n\nA queue of **jobs** for [Node](https://nodejs.org). And more.\n\n- one\n',
  'package.json': '{\n  "name": "jobs",\n  "description": "Jobs",\n  "bin": { "jobs": "src/cli.ts" }\n}\n',
  'src/cli.ts':
    "import { Queue } from './core/queue.ts';\n\nexport async function main() {\n  const queue = new Queue();\n  queue.push(1);\n}\n",
  'src/core/queue.ts': `/** Waits its turn. */\nexport class Queue {\n  /** Adds a job. */\n  push(job: unknown): void {\n    this.jobs.push(job);\n    wake(this);\n  }\n}\n\nexport function wake(queue: Queue): void {\n  queue.start();\n  queue.go();\n}\n`,
  'src/disk/store.ts':
    "import { Queue } from '../core/queue.ts';\n\nexport function save(queue: Queue): void {\n  write(queue);\n  sync();\n}\n",
  'src/disk/sync.ts': 'export function sync(): void {\n  flush();\n  flush();\n}\n',
};
const PROSE = {
  'README.md': '# Our handbook\n\nHow we work, and why.\n',
  'travel.md': '# Travel\n\nBook trains first. Then hotels.\n\n## Hotels\n\nNot too dear.\n',
  'pay/wages.md': '# Wages\n\nPaid on the last day of the month.\n',
};

describe('a question about a folder as a whole', () => {
  after(closeModels);

  it('is known in several languages', () => {
    const yes = [
      'What is this project?',
      'What is this crate and how is it structured?',
      'What is this',
      'How is it structured?',
      'Give me an overview',
      'Explain the architecture of this code base',
      'What does jobs do?',
      'What is Thought Tree?',
      'Was ist das für ein Projekt?',
      'Wie ist das Projekt aufgebaut?',
      'Gib mir einen Überblick',
      "Qu'est-ce que ce projet ?",
      'Comment le code est-il organisé ?',
      '这个项目是什么？',
      '请介绍一下这个代码库的结构',
    ];
    for (const question of yes) assert.ok(asksForOverview(question, ['jobs', '@own/thought-tree']), question);
  });

  it('asks for nothing else', () => {
    const no = [
      'What does the queue do?',
      'How are jobs retried?',
      'What is the structure of a message?',
      'Wie werden Fehler behandelt?',
      'Comment les erreurs sont-elles traitées ?',
      '任务超时以后会怎么样？',
      'How is the tree structured?',
      'Why?',
      '',
    ];
    for (const question of no) assert.ok(!asksForOverview(question, ['thought-tree']), question);
  });

  it('is told what it is, how it starts and what it consists of', async () => {
    const model = modelWith(CODE);
    const question = 'What is this project?';
    const titles = (await childrenOf(model, question, [])).map(({ title }) => title);
    assert.deepEqual(titles.slice(0, 2), ['What it is (README.md)', 'How it starts (src/cli.ts)']);
    assert.ok(
      titles.some((title) => title.startsWith('`src/core/`: 1 file, ')),
      titles.join(' | '),
    );
    assert.ok(
      titles.some((title) => title.startsWith('`src/disk/`: 2 files, ')),
      titles.join(' | '),
    );
    const data = { purpose: 'children', question, folder: 'trees/one', lineage: [], maxChildren: 50 } as const;
    const lookup = lookupIn((await ask(model, data)).text);
    assert.ok(lookup?.isOverview);
    assert.deepEqual(lookup.places.slice(0, 2), [
      {
        title: 'What it is (README.md)',
        says: 'What it is: A queue of jobs for Node',
        place: 'README.md:5',
        link: '../../README.md#L5',
        code: '',
        language: 'md',
      },
      {
        title: 'How it starts (src/cli.ts)',
        says: 'How it starts: `main` in src/cli.ts',
        place: 'src/cli.ts:3',
        link: '../../src/cli.ts#L3',
        code: 'export async function main() {',
        language: 'ts',
      },
    ]);
    const lineages = below([], (await childrenOf(model, question, [])).slice(0, 3));
    const core = lineages.find((lineage) => lineage[0]?.title.startsWith('`src/core/`'));
    assert.match(await documentOf(model, question, core ?? []), /## Defined in\n\n\[src\/core\/queue\.ts:/);
    assert.ok((await childrenOf(model, question, core ?? [])).some(({ title }) => /^`(?:Queue|wake)`/.test(title)));
  });

  it('is told the documents of a folder of prose', async () => {
    const model = modelWith(PROSE);
    const titles = (await childrenOf(model, 'What is in here?', [])).map(({ title }) => title);
    assert.deepEqual(titles, [
      'What it is (README.md)',
      '“Travel”: Book trains first (travel.md)',
      '“Wages”: Paid on the last day of the month (pay/wages.md)',
    ]);
  });

  async function lookedUp(files: Record<string, string>, question = 'What is this project?'): Promise<Lookup> {
    const model = modelWith(files);
    const data = { purpose: 'children', question, folder: 'trees/one', lineage: [], maxChildren: 50 } as const;
    const lookup = lookupIn((await ask(model, data)).text);
    assert.ok(lookup);
    return lookup;
  }
  const topicsOf = async (files: Record<string, string>): Promise<readonly LookupPlace[]> =>
    (await lookedUp(files)).places;
  const manyFiles = (folder: string, count: number, text: (i: number) => string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}${i}.ts`, text(i)]));
  const lines = (name: string): string =>
    Array.from({ length: 9 }, (_, i) => `def ${name}${i}():\n    pass\n`).join('\n');

  it('names a type before what is implemented for it, and takes no tag or badge for a paragraph', async () => {
    const impls = ['u8', 'u16', 'u32', 'u64'].map((name) => `impl Width for ${name} {\n    fn width(&self) {}\n}\n`);
    const places = await topicsOf({
      'README.md':
        '<div align="center"> <a href="https://example.org/">\n  <img\n    src="a.svg"\n    width="650" />\n</a></div>\n\n[![Package\nCI](a.svg)](b)\n\nA codec for frames. And more.\n',
      'src/lib.rs': '//! Frames.\n\npub mod codec;\n',
      'src/codec/mod.rs': `${impls.join('\n')}\npub struct Codec {\n    width: u32,\n}\n\npub fn use_it(codec: u64) {\n    run(codec);\n}\n`,
    });
    assert.equal(places[0]?.says, 'What it is: A codec for frames');
    assert.deepEqual([places[1]?.place, places[1]?.code], ['src/lib.rs:3', 'pub mod codec;']);
    const codec = places.find(({ title }) => title.includes('codec'));
    assert.ok(codec && !codec.code.startsWith('impl'), codec?.code);
  });

  it('does not take what one of several parts says for the whole', async () => {
    const says = (
      await topicsOf({
        'zipfile.py': `"""Read and write ZIP files."""\n\n${lines('zip')}`,
        'repl/loop.py': `class REPLThread:\n    def run(self):\n        self.start()\n\n${lines('loop')}`,
        'repl/__main__.py': `${lines('go')}\nif __name__ == '__main__':\n    go1()\n`,
        'json/decode.py': lines('decode'),
        'json/server.py': `class Server:\n    def serve(self):\n        self.handler.start()\n`,
      })
    ).map((place) => place.says);
    assert.ok(says.length > 0 && says.every((one) => !/^(?:What it is|How it starts)/.test(one)), says.join('\n'));
    assert.ok(
      says.some((one) => /^`zipfile\.py`: Read and write ZIP files \(29 lines of Python\)$/.test(one)),
      says.join('\n'),
    );
  });

  it('takes what the package says that is all there is, whatever licence stands above', async () => {
    const licence = '// Copyright 2020 The Authors.\n// Use of this source code is governed by a licence.\n\n';
    const [what, part] = await topicsOf({
      'command.go': `${licence}// Package cobra is a commander. It commands.\npackage cobra\n\ntype byName []int\n\nfunc (n byName) Len() int {\n\tuse(n)\n\treturn len(n)\n}\n\nfunc (n byName) sort() {\n\tuse(n)\n\tuse(n)\n}\n`,
      'args.go': 'package cobra\n\nfunc use(n byName) int {\n\tn.sort()\n\treturn n.Len() + n.Len()\n}\n',
    });
    assert.equal(what?.says, 'What it is: a commander');
    assert.match(part?.says ?? '', /^`command\.go`: .*most used: `byName`, `byName\.sort`$/);
  });

  it('states the size of each part of a large folder, however few of its files are read', async () => {
    const filler = '// Nothing but words that fill the file.\n'.repeat(1500);
    const code = (name: string) => (i: number) => `export function ${name}${i}() {\n  return ${i};\n}\n${filler}`;
    const { places, files, read, missing } = await lookedUp(
      {
        ...manyFiles('src/core/deep/core', 40, code('keep')),
        ...manyFiles('src/disk/disk', 30, code('write')),
        ...manyFiles(
          'src/tiny/structured',
          20,
          (i) => `// It is structured.\nexport function structured${i}() {\n  return ${i};\n}`,
        ),
        'src/disk/index.ts': 'export function open() {\n  return write0();\n}\n',
      },
      'How is it structured?',
    );
    assert.deepEqual(
      places.map(({ title }) => title),
      [
        '`src/core/`: 40 files, 2.5 MB of TypeScript',
        '`src/disk/`: 31 files, 1.8 MB of TypeScript',
        '`src/tiny/`: 20 files, 80 lines of TypeScript',
      ],
    );
    assert.match(places[0]?.says ?? '', /; among others: `keep\d+`/);
    assert.deepEqual([files, missing], [91, []]);
    assert.ok(read < 40, `${read} read`);
  });

  it('shows a large folder of code in a language that is not known', async () => {
    const text = 'local fill = "words"\n'.repeat(1500);
    const files = Array.from({ length: 150 }, (_, i) => [`${i % 2 ? 'game' : 'mods'}/file${i}.nim`, text] as const);
    const { isOverview, places } = await lookedUp(Object.fromEntries(files), 'How is it structured?');
    assert.ok(isOverview);
    assert.deepEqual(
      places.map(({ title, code }) => [title, code]),
      ['game', 'mods'].map((name) => [`\`${name}/\`: 75 files, 2.4 MB of nim`, 'local fill = "words"']),
    );
  });

  async function saidWith(paragraph: string): Promise<unknown> {
    const [what] = await topicsOf({
      'README.md': `# The Web\n\n${paragraph}\n`,
      'package.json': '{\n  "name": "@own/fast-web",\n  "description": "Fast web framework, for Node.js"\n}\n',
      'index.js': 'export function run() {\n  return 1;\n}\n',
    });
    return [what?.says, what?.place, what?.code];
  }

  it('takes the description of a manifest before praise in a README', async () => {
    assert.deepEqual(await saidWith('An efficient server implies a lower cost. How can you handle more?'), [
      'What it is: Fast web framework, for Node.js',
      'package.json:3',
      '',
    ]);
  });

  for (const said of someOf(
    ['Efficient servers with Fast Web', 'This is a server', 'A web framework, fast, for Node.js 20'],
    1,
  ))
    it(`takes of a README before any description: ${said}`, async () => {
      assert.deepEqual(await saidWith(`${said}. And more.`), [`What it is: ${said}`, 'README.md:3', '']);
    });
});
