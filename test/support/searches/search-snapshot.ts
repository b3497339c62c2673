import type { Files } from '../../../src/store/files/files.ts';

/** Returns the content files of a search by path: folders, documents, children, statuses; ids taken out. */
export async function snapshotOf(files: Files, folder = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, kind } of await files.list(folder)) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === '.search') continue;
    if (kind === 'folder') Object.assign(found, await snapshotOf(files, path));
    else found[path] = ((await files.read(path)) ?? '').replace(/"(id|to|sessionId)": "[^"]*"/g, '"$1": "…"');
    // What a search cost depends on what happened to it on its way; what it found does not.
    if (path === 'report.md') found[path] = found[path]?.replace(/\n## What it cost\n.*/s, '') ?? '';
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}
