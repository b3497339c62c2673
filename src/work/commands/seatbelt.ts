import type { Held } from './bubblewrap.ts';

/** The profile for sandbox-exec of macOS: writes and secrets are denied except in the command's own folders. */
export function seatbeltProfile({ folder, home, temporary, hidden, emptied, shown, hasNetwork }: Held): string {
  const below = (paths: readonly string[]): string => paths.map((path) => ` (subpath ${quoted(path)})`).join('');
  const just = (paths: readonly string[]): string => paths.map((path) => ` (literal ${quoted(path)})`).join('');
  const own = [folder, home, temporary];
  const secrets = below(hidden) + just(emptied);
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...(secrets === '' ? [] : [`(deny file-read*${secrets})`]),
    ...(shown.length === 0 ? [] : [`(allow file-read*${below(shown)})`]),
    `(allow file-read* file-write*${below(own)})`,
    `(allow file-write*${just(['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr'])})`,
    ...(hasNetwork ? [] : ['(deny network*)']),
  ].join('\n');
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
