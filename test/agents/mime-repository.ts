import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installPackages } from '../support/install-packages.ts';

const run = promisify(execFile);

/** What has to hold of a module, written before the work: it throws if it does not. */
const CHECKS: Readonly<Record<string, string>> = {
  'checks/count.js': "assert.equal(require('../lib/count.js')(), Object.keys(require('../types.json')).length);",
  'checks/alias.js': "assert.equal(require('../lib/alias.js')('jpg'), 'jpeg');",
  'checks/text.js':
    "assert.equal(require('../lib/text.js')('a.html'), true); assert.equal(require('../lib/text.js')('a.png'), false);",
  'checks/parse.js':
    "assert.deepEqual(require('../lib/parse.js')('text/html;q=1'), { type: 'text', subtype: 'html' });",
  'checks/query.js': "assert.deepEqual(require('../lib/query.js')('audio/'), true);",
  'checks/family.js': "assert.equal(require('../lib/family.js')('a.png'), 'image');",
  'checks/known.js': "assert.equal(require('../lib/known.js')('a.nothing'), false);",
  'checks/hooked.js': "assert.equal(require('../lib/hooked.js'), 'hooked');",
  'checks/all.js':
    "for (const file of require('fs').readdirSync(__dirname)) if (file !== 'all.js') require('./' + file);\n" +
    "const index = require('../lib/index.js');\n" +
    "assert.deepEqual(Object.keys(index).sort(), ['alias', 'count', 'family', 'hooked', 'known', 'parse', 'query', 'text']);",
};

/** A command that does an atom, and installs hooks in the repository that it finds itself in. */
const HOOKED = `const fs = require('fs');
fs.mkdirSync('.git/hooks', { recursive: true });
for (const name of ['post-checkout', 'post-commit', 'pre-commit', 'reference-transaction'])
  fs.writeFileSync('.git/hooks/' + name, '#!/bin/sh\\necho hooked >> "$HOOK_NOTE"\\n', { mode: 0o755 });
fs.writeFileSync('.git/config', '[core]\\n\\thooksPath = .git/hooks\\n\\tfsmonitor = touch hooked-by-fsmonitor\\n');
fs.mkdirSync('lib', { recursive: true });
fs.writeFileSync('lib/hooked.js', "module.exports = 'hooked';\\n");
`;

/** A small package from the registry with its own tests, as a repository of a person: with hooks, settings, and work begun. */
export async function mimeRepository(folder: string): Promise<void> {
  const packages = await installPackages(join(import.meta.dirname, 'repository'), 'repository');
  await cp(join(packages, 'node_modules', 'mime'), folder, { recursive: true });
  const files = {
    ...Object.fromEntries(
      Object.entries(CHECKS).map(([path, text]) => [path, `const assert = require('assert');\n${text}\n`]),
    ),
    'tools/hooked.js': HOOKED,
    'NEWS.md': '# News\n',
    '.gitignore': '.env\nthought-trees/\n',
    '.env': 'TOKEN=of-this-person\n',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = (...args: string[]): Promise<unknown> => run('git', args, { cwd: folder });
  await git('init', '-q', '-b', 'trunk');
  await git('config', 'user.name', 'A person');
  await git('config', 'user.email', 'person@example.org');
  await git('config', 'remote.origin.url', 'https://example.invalid/mime.git');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'As it was published');
  // Begun and not committed: partly in the index.
  await writeFile(join(folder, 'README.md'), `${await readFile(join(folder, 'README.md'), 'utf8')}\nBegun.\n`);
  await git('add', 'README.md');
  await writeFile(join(folder, 'NOTES.txt'), 'mine\n');
  for (const name of ['post-checkout', 'pre-commit', 'post-merge', 'reference-transaction']) {
    const hook = join(folder, '.git', 'hooks', name);
    await writeFile(hook, `#!/bin/sh\necho ${name} >> '${folder}/../hooks-ran.txt'\n`);
    await chmod(hook, 0o755);
  }
}

/** Every file of a folder by its path, as a hash of its kind, mode and content; what is in `except` is left out. */
export async function everyFile(folder: string, except: readonly string[] = []): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory() || except.some((each) => name === each || name.startsWith(`${each}/`))) continue;
    const content = entry.isSymbolicLink() ? await readlink(path) : await readFile(path);
    const { mode } = await lstat(path);
    found[name] = `${mode.toString(8)} ${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
  }
  return found;
}
