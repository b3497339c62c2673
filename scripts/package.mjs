// npm run package: the extension as out/thought-tree-VERSION.vsix, from what `npm run build` put into dist/.
//   node scripts/package.mjs [FILE]    another file
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { root } from './ensure.mjs';
import { isPreRelease, PACKAGING } from './packaging.ts';

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const file = resolve(process.argv[2] ?? join(root, 'out', `${name}-${version}.vsix`));
mkdirSync(dirname(file), { recursive: true });
await createVSIX({ ...PACKAGING, preRelease: isPreRelease(version), cwd: root, packagePath: file });
console.log(`${file} ${Math.round(statSync(file).size / 1000)} KB${isPreRelease(version) ? ', a pre-release' : ''}`);
