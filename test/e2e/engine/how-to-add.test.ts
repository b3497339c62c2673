import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CHANGES = join(ROOT, 'test/fixtures/changes');

/** One row of the table "How to add" of ARCHITECTURE.md, as it is made here. */
interface Change {
  /** Its first column. */
  readonly row: string;
  /** Where its new files are placed, by their names in its folder of fixtures. */
  readonly made: Readonly<Record<string, string>>;
  /** What is replaced in files that exist: each text is found there exactly once. */
  readonly edited: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>>;
}

/** Puts a line above another one, of which only the beginning is named, so that other changes of it do not matter. */
const above = (begin: string, added: string): readonly [string, string] => [begin, `${added}\n${begin}`];

const CHANGES_BY_NAME: Readonly<Record<string, Change>> = {
  strategy: {
    row: 'a strategy of `thoughts`',
    made: { 'hill-climbing.ts.txt': 'src/kinds/thoughts/strategy/hill-climbing.ts' },
    edited: {
      'src/kinds/thoughts/strategy/strategies.ts': [
        above('import { DepthFirst', "import { HillClimbing, hillClimbing } from './hill-climbing.ts';"),
        above("  'best-first': bestFirst", "  'hill-climbing': hillClimbing,"),
        above("  'best-first': (", "  'hill-climbing': (rules: ThoughtRules) => new HillClimbing(rules),"),
      ],
    },
  },
  kind: {
    row: 'a kind',
    made: { 'descriptor.ts.txt': 'src/kinds/halves/descriptor.ts', 'halves.ts.txt': 'src/kinds/halves/halves.ts' },
    edited: {
      'src/kinds/kinds.ts': [
        above('import { investigationDescriptor', "import { halvesDescriptor } from './halves/descriptor.ts';"),
        above(
          '  { descriptor: workGraphDescriptor',
          "  { descriptor: halvesDescriptor, load: async () => (await import('./halves/halves.ts')).halves },",
        ),
      ],
      'scripts/bundles.ts': [above("  investigation: '", "  halves: 'src/kinds/halves/halves.ts',")],
    },
  },
  option: {
    row: 'an option of a kind',
    made: {},
    edited: {
      'src/kinds/research/descriptor.ts': [
        above(
          "  {\n    name: 'subtopics',",
          [
            '  {',
            "    name: 'shortest',",
            "    type: 'integer',",
            '    least: 1,',
            '    most: 5000,',
            "    value: 'n',",
            "    help: 'words that a document has at least',",
            '  },',
          ].join('\n'),
        ),
      ],
    },
  },
  action: {
    row: 'an action',
    made: { 'keep-only.ts.txt': 'src/engine-parts/actions/keep-only.ts' },
    edited: {
      'src/core/actions/actions.ts': [
        above(
          '  restore: {',
          [
            '  keepOnly: {',
            "    name: 'keepOnly',",
            "    on: 'node',",
            "    title: 'Prune all others',",
            "    help: 'prune all branches beside a node',",
            '    args: [],',
            '    removes: true,',
            '    when: (_search, node) => !isPruned(node),',
            '  },',
          ].join('\n'),
        ),
      ],
      'src/engine-parts/actions/engine-actions.ts': [
        above('import { editedDocument', "import { keepOnly } from './keep-only.ts';"),
        ['ENGINE_ACTIONS: Actions = {', 'ENGINE_ACTIONS: Actions = {\n  keepOnly,'],
      ],
    },
  },
  provider: {
    row: 'a provider of models',
    made: { 'parrot-model.ts.txt': 'src/models/parrot-model.ts' },
    edited: {
      'src/models/open-model.ts': [
        ["OPENAI } from './listings.ts'", "OPENAI, PARROT } from './listings.ts'"],
        above(
          "  [\n    'openai-compatible',",
          [
            '  [',
            "    'parrot',",
            '    {',
            "      example: 'parrot/grey',",
            "      keyVariables: ['PARROT_API_KEY'],",
            "      defaultBaseUrl: 'http://127.0.0.1:4242',",
            '      needsKey: false,',
            '      listing: PARROT,',
            "      open: async (model, options) => (await import('./parrot-model.ts')).openParrotModel(model, options),",
            '    },',
            '  ],',
          ].join('\n'),
        ),
      ],
      'src/models/listings.ts': [
        above(
          'const OllamaModel =',
          [
            'const Birds = z.object({ birds: z.array(z.unknown()) });',
            '',
            'export const PARROT: Listing = {',
            "  path: '/birds',",
            '  headers: bearer,',
            '  read: (body) => entries(Birds.safeParse(body).data?.birds, Id)?.map((id) => listed(id)),',
            '};',
            '',
          ].join('\n'),
        ),
      ],
    },
  },
  tool: {
    row: 'a tool for models',
    made: { 'count-tool.ts.txt': 'src/searches/tools/count-tool.ts' },
    edited: {
      'src/searches/tools/tools.ts': [
        above('import { CheckoutFiles, listTool', "import { countTool } from './count-tool.ts';"),
        ['[searchTool, ', '[countTool, searchTool, '],
      ],
    },
  },
  task: {
    row: 'a task of `thoughts`',
    made: { 'make-ten.ts.txt': 'src/kinds/thoughts/tasks/make-ten.ts' },
    edited: {
      'src/kinds/thoughts/tasks/find-task.ts': [
        above('import type { FindTask', "import { makeTen } from './make-ten.ts';"),
        ['[game24, ', '[makeTen, game24, '],
      ],
    },
  },
  language: {
    row: 'a language',
    made: { 'bundle.l10n.eo.json.txt': 'l10n/bundle.l10n.eo.json' },
    edited: {},
  },
};

/** Returns what a row says: where its new files are, and which others are edited always; paths may leave out `src/`. */
function rowOf(row: string): { readonly place: string; readonly edited: string[] } {
  const lines = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n');
  const cells = lines.map((line) => line.split('|').map((cell) => cell.trim())).find(([, what]) => what === row);
  assert.ok(cells, `ARCHITECTURE.md has no row for ${row}`);
  const [, , made = '', edited = ''] = cells;
  const place = [...made.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path).find((path) => path.includes('/'));
  const always = (edited.split(';')[0] ?? '').matchAll(/`([^`]+)`/g);
  return { place: fromRoot(place ?? ''), edited: [...always].map(([, path = '']) => fromRoot(path)) };
}

function fromRoot(path: string): string {
  return /^(?:src|scripts|l10n)\//.test(path) ? path : `src/${path}`;
}

/** Tells whether a path is one that a row means: `kinds/<kind>/descriptor.ts` is that of any kind. */
function isLike(said: string, path: string): boolean {
  return new RegExp(`^${said.replaceAll('.', '\\.').replaceAll(/<\w+>/g, '[^/]+')}$`).test(path);
}

/** Runs a program; a failure says what it wrote. */
async function run(folder: string, ...args: readonly string[]): Promise<void> {
  const { stdout, stderr, code } = await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    (said) => ({ ...said, code: 0 }),
    (error: { stdout: string; stderr: string }) => ({ ...error, code: 1 }),
  );
  assert.equal(code, 0, `${stdout}${stderr}`);
}

/** Returns the content of every source file, and of those for translators. */
function filesIn(folder: string): Map<string, string> {
  const files = globSync(['src/**/*', 'scripts/**/*', 'l10n/*', '*.json'], { cwd: folder, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function make(folder: string, name: string, { made, edited }: Change): void {
  for (const [fixture, path] of Object.entries(made))
    put(folder, path, readFileSync(join(CHANGES, name, fixture), 'utf8'));
  for (const [path, replacements] of Object.entries(edited)) {
    let text = readFileSync(join(folder, path), 'utf8');
    for (const [before, after] of replacements) {
      assert.equal(text.split(before).length, 2, `${path} has this once: ${before}`);
      text = text.replace(before, () => after);
    }
    put(folder, path, text);
  }
}

describe('what ARCHITECTURE.md says of how to add', () => {
  const folder = temporaryFolder('how-to-add');
  /** The files that each change wrote, by comparing the copy before and after it. */
  const written = new Map<string, { made: string[]; edited: string[] }>();

  // All of them are made in one copy, which is compiled once: none needs what another one makes.
  before(async function () {
    this.timeout(300_000);
    for (const path of ['src', 'scripts', 'l10n', 'media', 'test/support', 'package.json', 'package.nls.json'])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    cpSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    for (const path of ['node_modules', 'webview-ui', 'data']) symlinkSync(join(ROOT, path), join(folder, path));
    const compilerOptions = { types: ['node', 'mocha'] };
    const include = ['src', 'scripts/bundles.ts', 'checks'];
    put(folder, 'tsconfig.json', JSON.stringify({ extends: './tsconfig.base.json', compilerOptions, include }));
    for (const [name, change] of Object.entries(CHANGES_BY_NAME)) {
      const old = filesIn(folder);
      make(folder, name, change);
      const files = [...filesIn(folder)].filter(([path, text]) => old.get(path) !== text).map(([path]) => path);
      const made = files.filter((path) => !old.has(path));
      written.set(name, { made, edited: files.filter((path) => old.has(path)) });
      put(folder, `checks/${name}.ts`, readFileSync(join(CHANGES, name, 'check.ts.txt'), 'utf8'));
    }
    await run(folder, 'node_modules/typescript/bin/tsc', '-p', '.');
    // Generated files are not counted.
    await run(folder, 'scripts/manifest.mjs');
  });

  it('is tried, each row of it', () => {
    const [, section = ''] = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').split('\n## How to add\n');
    const [table = ''] = section.split('\n## ');
    const rows = [...table.matchAll(/^\| (an? [^|]+?) \|/gm)].map(([, row]) => row);
    // What tells an event is anywhere.
    const tried = [...Object.values(CHANGES_BY_NAME).map(({ row }) => row), 'an event'];
    assert.deepEqual(rows.sort(), tried.sort());
  });

  for (const [name, { row, made }] of Object.entries(CHANGES_BY_NAME)) {
    it(`is true of ${row.replaceAll('`', '')}`, async () => {
      const said = rowOf(row);
      const [place = ''] = said.place.split('<');
      assert.deepEqual(written.get(name)?.made.sort(), Object.values(made).sort());
      for (const path of Object.values(made))
        assert.ok(place.length > 'src/'.length && path.startsWith(place), `${path} is in ${place}`);
      const edited = (written.get(name)?.edited ?? []).map(
        (path) => said.edited.find((one) => isLike(one, path)) ?? `${path}, which the row does not name`,
      );
      assert.deepEqual(edited.sort(), said.edited.sort());
      await run(folder, `checks/${name}.ts`);
    });
  }
});
