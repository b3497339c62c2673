import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns every file and folder below a folder, hidden ones too: files with inode, time of change and content. */
export function diskState(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const whole = join(folder, path);
    const stat = lstatSync(whole, { bigint: true });
    if (!stat.isFile()) found[path] = stat.isDirectory() ? 'folder' : 'other';
    else found[path] = `${stat.ino} ${stat.mtimeNs} ${createHash('sha256').update(readFileSync(whole)).digest('hex')}`;
  }
  return found;
}

/** Paths at which two states differ. */
export function changesBetween(before: Record<string, string>, after: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}
