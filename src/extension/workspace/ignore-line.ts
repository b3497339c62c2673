/**
 * Returns what to add to the end of a .gitignore so that it ignores a folder, with the file's own line ends.
 * @param before the file, empty if there is none
 * @param folder a folder below that of the file, with `/`
 * @returns empty if it is ignored there already
 */
export function ignoreLine(before: string, folder: string): string {
  const line = `/${literal(folder)}/`;
  const isThere = before
    .split(/\r?\n/)
    .some((each) => each === line || each.replace(/^\/|\/$/g, '') === literal(folder));
  if (isThere) return '';
  const end = before.includes('\r\n') ? '\r\n' : '\n';
  const isOpen = before !== '' && !before.endsWith('\n');
  return `${isOpen ? end : ''}${line}${end}`;
}

/** A path in which nothing is a pattern. */
function literal(path: string): string {
  return path.replaceAll(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
}
