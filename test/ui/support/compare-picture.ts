import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const KEPT = join(import.meta.dirname, '../pictures');
const FOUND = join(import.meta.dirname, '../../../out/pictures');
/**
 * The share of dots that may differ. Browser, fonts and size are pinned, so that the same page gives the same dots;
 * what is left for is the rounding of a processor of another kind, at the rims of letters and curves.
 */
const MOST = 0.0005;

/**
 * Compares a picture with the one that is kept (`UPDATE=1` keeps this one). Where they differ, the picture and what
 * differs in it lie in out/pictures as NAME.actual.png and NAME.diff.png.
 */
export function comparePicture(name: string, picture: Buffer): void {
  const kept = join(KEPT, `${name}.png`);
  mkdirSync(FOUND, { recursive: true });
  if (process.env['UPDATE']) {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(kept, picture);
    return;
  }
  const actual = join(FOUND, `${name}.actual.png`);
  writeFileSync(actual, picture);
  assert.ok(existsSync(kept), `There is no kept picture ${kept}: UPDATE=1 keeps ${actual}`);
  const bytes = readFileSync(kept);
  if (bytes.equals(picture)) return;
  const [before, now] = [PNG.sync.read(bytes), PNG.sync.read(picture)];
  const { width, height } = before;
  assert.deepEqual([now.width, now.height], [width, height], `${name} has another size`);
  const diff = new PNG({ width, height });
  const different = pixelmatch(before.data, now.data, diff.data, width, height, { threshold: 0.1 });
  if (different <= width * height * MOST) return;
  const file = join(FOUND, `${name}.diff.png`);
  writeFileSync(file, PNG.sync.write(diff));
  assert.fail(`${different} dots of ${name} differ: look at ${file}; UPDATE=1 keeps ${actual}`);
}
