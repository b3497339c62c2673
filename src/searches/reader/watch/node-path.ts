/**
 * The slug path of the node that a file or folder belongs to, empty for the search itself; undefined for anything
 * outside the search's folder. Both are absolute paths as the system writes them: Windows separates by `\`, and writes
 * a drive's letter either way.
 */
export function nodePathIn(search: string, file: string): string | undefined {
  const [above, parts] = [partsOf(search), partsOf(file)];
  if (above.some((part, index) => part !== parts[index])) return undefined;
  const below = parts.slice(above.length);
  if (/\.(json|md)$/.test(below.at(-1) ?? '')) below.pop();
  return below.join('/');
}

function partsOf(path: string): string[] {
  const drive = /^[A-Z]:/.exec(path)?.[0] ?? '';
  return (drive.toLowerCase() + path.slice(drive.length)).split(/[\\/]/).filter(Boolean);
}
