import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
let packaging: Promise<string> | undefined;

/**
 * The extension as people install it, made of dist/; once for each process of tests, which takes it away again.
 * @throws Error where dist/ was not built
 */
export function packagedExtension(): Promise<string> {
  packaging ??= packageIt();
  return packaging;
}

async function packageIt(): Promise<string> {
  if (!existsSync(join(ROOT, 'dist/extension.cjs'))) throw new Error('There is no dist/extension.cjs: npm run build');
  const folder = temporaryFolder('vsix');
  const vsix = join(folder, 'thought-tree.vsix');
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/package.mjs'), vsix]);
  return vsix;
}

/** Unpacks a package into a new folder, as an editor does; returns the folder of the extension. */
export function unpackExtension(vsix: string): string {
  const folder = temporaryFolder('unpacked');
  for (const [name, content] of filesOfZip(readFileSync(vsix))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return join(folder, 'extension');
}

const END = 0x06054b50;
const END_LENGTH = 22;
const DEFLATED = 8;

/** The files of a ZIP file without a comment, by the directory at its end. */
function* filesOfZip(zip: Buffer): Generator<[name: string, content: Buffer]> {
  const end = zip.length - END_LENGTH;
  if (zip.readUInt32LE(end) !== END) throw new Error('It is no ZIP file, or has a comment');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, start] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const [named, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + named);
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const packed = zip.subarray(from, from + size);
    if (!name.endsWith('/')) yield [name, method === DEFLATED ? inflateRawSync(packed) : packed];
    at += 46 + named + extra + comment;
  }
}
