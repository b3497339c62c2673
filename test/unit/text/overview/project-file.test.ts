import assert from 'node:assert/strict';
import { type Project, projectIn, startsOf } from '../../../../src/text/overview/project-file.ts';

function project(path: string, text: string): Omit<Project, 'path'> | undefined {
  const found = projectIn({ path, lines: text.split('\n') });
  if (!found) return undefined;
  const { path: _, ...rest } = found;
  return rest;
}

const POM = `<project>
  <parent><artifactId>parent</artifactId><version>9</version></parent>
  <artifactId>money</artifactId>
  <version>1.2</version>
  <description>Counts money</description>
  <dependencies>
    <dependency><artifactId>junit</artifactId></dependency>
  </dependencies>
</project>`;

describe('what a manifest says of its project', () => {
  const cases: Record<string, [path: string, text: string, expected: Omit<Project, 'path'>]> = {
    'package.json': [
      'package.json',
      JSON.stringify({
        name: '@a/jobs',
        version: '1.2.3',
        description: 'Runs jobs',
        bin: './cli.js',
        exports: {
          '.': { types: './a.d.ts', import: './a.mjs', require: './a.cjs' },
          './b': './b.js',
          './*': './x/*.js',
        },
        main: 'a.cjs',
      }),
      {
        name: '@a/jobs',
        version: '1.2.3',
        description: 'Runs jobs',
        entries: [
          { target: './cli.js', as: 'command jobs' },
          { target: './a.mjs', as: 'exports' },
          { target: './b.js', as: 'exports b' },
          { target: 'a.cjs', as: 'main' },
        ],
      },
    ],
    'pyproject.toml': [
      'pyproject.toml',
      '[build-system]\nname = "no"\n[project]\nname = "jobs"\ndescription = "Runs jobs"\n[project.scripts]\njobs = "jobs.cli:main"\n',
      {
        name: 'jobs',
        version: '',
        description: 'Runs jobs',
        entries: [{ target: 'jobs.cli:main', as: 'command jobs' }],
      },
    ],
    'setup.cfg': [
      'setup.cfg',
      '[metadata]\nname = jobs\nversion = attr: jobs.v\ndescription = Runs jobs\n[options.entry_points]\nconsole_scripts =\n    jobs = jobs.cli:main\n',
      {
        name: 'jobs',
        version: '',
        description: 'Runs jobs',
        entries: [{ target: 'jobs.cli:main', as: 'command jobs' }],
      },
    ],
    'setup.py': [
      'setup.py',
      "setup(\n    name='jobs',\n    version='2.0',\n    description='Runs jobs',\n)\n",
      { name: 'jobs', version: '2.0', description: 'Runs jobs', entries: [] },
    ],
    'Cargo.toml': [
      'Cargo.toml',
      '[package]\nname = "jobs"\nversion = "0.1.0"\ndescription = "Runs jobs"\n[lib]\npath = "src/lib.rs"\n[dependencies]\nname = "x"\n',
      { name: 'jobs', version: '0.1.0', description: 'Runs jobs', entries: [{ target: 'src/lib.rs', as: 'library' }] },
    ],
    'go.mod': [
      'go.mod',
      'module example.com/jobs\n\ngo 1.22\n',
      { name: 'example.com/jobs', version: '', description: '', entries: [] },
    ],
    'pom.xml': ['pom.xml', POM, { name: 'money', version: '1.2', description: 'Counts money', entries: [] }],
    'PKG-INFO': [
      'PKG-INFO',
      'Metadata-Version: 2\nName: jobs\nVersion: 3\nSummary: Runs jobs\n',
      { name: 'jobs', version: '3', description: 'Runs jobs', entries: [] },
    ],
  };
  for (const [name, [path, text, expected]] of Object.entries(cases))
    it(`is read from ${name}`, () => assert.deepEqual(project(path, text), expected));

  it('is nothing where it is broken, of other types, or something else', () => {
    assert.equal(project('package.json', '{ "name": '), undefined);
    assert.equal(project('package.json', '[1, 2]'), undefined);
    assert.equal(project('package.json', '{ "name": 3, "bin": [1], "exports": 7 }'), undefined);
    assert.equal(project('Cargo.toml', '[workspace]\nmembers = ["a"]\n'), undefined);
    assert.equal(project('notes.md', 'name: x'), undefined);
  });
});

describe('where a workspace starts', () => {
  const of = (path: string, text: string, paths: readonly string[]): string[] => {
    const found = projectIn({ path, lines: text.split('\n') });
    return startsOf(found ? [found] : [], paths);
  };

  it('is the files that its manifest names, in whatever way, and those that are run by their names', () => {
    const manifest = JSON.stringify({ name: 'a', bin: { a: './bin/a' }, main: './lib', module: 'dist/a.mjs' });
    assert.deepEqual(
      of('package.json', manifest, ['bin/a', 'lib/index.js', 'src/a.ts', 'main.go', 'cmd/x/main.go', 'test/main.py']),
      [
        'bin/a (command a)',
        'lib/index.js (main)',
        'src/a.ts (module, as dist/a.mjs)',
        'main.go (run)',
        'cmd/x/main.go (run)',
      ],
    );
  });

  it('is a module of Python, wherever its package lies', () => {
    const manifest = '[project]\nname = "a"\n[project.scripts]\na = "a.cli:main"\nb = "a:run"\nc = "gone:run"\n';
    assert.deepEqual(of('pyproject.toml', manifest, ['src/a/__init__.py', 'src/a/cli.py']), [
      'src/a/cli.py (command a)',
      'src/a/__init__.py (command b)',
    ]);
  });
});
