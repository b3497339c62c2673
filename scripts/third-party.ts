// Makes dist/THIRD-PARTY-NOTICES.txt: whose code is in the bundles, and under which licence. MIT, ISC, BSD and Apache 2 ask
// for their texts wherever the code goes, and minified bundles hold none of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const TITLE = 'Thought Tree contains code of the packages below. Each part names them, and has their licence.';
const RULE = '-'.repeat(80);

/** Packed into dist by hand, so that no bundler knows of it: the parsers. */
const PACKED = ['node_modules/@vscode/tree-sitter-wasm'];

/** Returns the folders of the packages whose code is in what was built, sorted. */
export function packagesIn(built: readonly Pick<Metafile, 'outputs'>[]): string[] {
  const inputs = built.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = inputs.map((path) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set([...PACKED, ...folders.filter((folder) => folder !== undefined)])].sort();
}

/**
 * Returns the notices of packages; those under the same words are one part.
 * @throws Error if nothing says the words of a package's licence
 */
export function noticesOf(folders: readonly string[], root = '.'): string {
  const packages = folders.map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const holder = author?.name ?? author ?? `the authors of ${name}`;
    return { name, version, license, holder, text: licenceIn(join(root, folder)) };
  });
  const parts = new Map<string, string[]>();
  for (const { name, version, license, holder, text } of packages) {
    // Some packages of a family leave out what the others of it have.
    const kin = packages.find(
      (other) => other.text && other.license === license && scopeOf(other.name) === scopeOf(name),
    );
    const words = text ?? kin?.text ?? (license === 'MIT' ? mit(holder, root) : undefined);
    if (words === undefined) throw new Error(`${name} has no text of its licence, ${license}`);
    parts.set(words, [...(parts.get(words) ?? []), `${name} ${version} (${license})`]);
  }
  return [TITLE, ...[...parts].map(([text, names]) => `${names.join('\n')}\n\n${text}`)].join(`\n\n${RULE}\n\n`);
}

/** Returns the scope of a package; of one without, its own name, so that it has no kin. */
function scopeOf(name: string): string {
  return name.startsWith('@') ? name.replace(/\/.*/, '') : name;
}

function licenceIn(folder: string): string | undefined {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** Returns the words of the MIT licence, which is ours too, with another holder. */
function mit(holder: string, root: string): string {
  const [, terms = ''] =
    /(Permission is hereby granted[\s\S]*)$/.exec(readFileSync(join(root, 'LICENSE'), 'utf8')) ?? [];
  return `MIT License\n\nCopyright (c) ${holder}\n\n${terms.trim()}`;
}
