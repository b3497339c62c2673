import { isIn } from '../paths.ts';
import type { CommandFolders } from './command-line.ts';

/** Folders of sockets of services, which a read-only place does not close: only what finding names and programs needs. */
const OF_RUN = ['/run/systemd/resolve', '/run/current-system', '/run/opengl-driver'];

/** Of which a command gets an empty one. */
export const TEMPORARY = ['/tmp', '/var/tmp'];

/** The places and rights that a sandbox gives a command. */
export interface Held extends CommandFolders {
  /** Folders that it does not see at all. */
  readonly hidden: readonly string[];
  /** Files that it sees empty. */
  readonly emptied: readonly string[];
  /** Paths in the hidden folders that it sees all the same, read only. */
  readonly shown: readonly string[];
  readonly hasNetwork: boolean;
}

/**
 * Returns the arguments of bubblewrap, which holds a command: it sees the whole system read only, without the person's
 * secrets, with processes, temporary files and, unless allowed, a network of its own. All that it started ends with it.
 */
export function bubblewrapArguments(held: Held): string[] {
  const { folder, home, seenAs, temporary, empty, workspace, hidden, emptied, shown, hasNetwork } = held;
  const isInside = (place: string): boolean => place !== workspace && isIn(workspace, place);
  const [inside, others] = [hidden.filter(isInside), hidden.filter((place) => !isInside(place))];
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-cgroup-try', '--die-with-parent'],
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'],
    ...OF_RUN.flatMap((place) => ['--ro-bind-try', place, place]),
    // Before all others: any of them may be in a folder for temporary files.
    ...TEMPORARY.flatMap((place) => ['--bind', temporary, place]),
    ...others.flatMap((place) => ['--tmpfs', place]),
    // Only where that hid it: it may well be the home folder itself.
    ...([...TEMPORARY, ...others].some((place) => isIn(place, workspace)) ? ['--ro-bind', workspace, workspace] : []),
    ...inside.flatMap((place) => ['--tmpfs', place]),
    ...shown.flatMap((place) => ['--ro-bind', place, place]),
    ...emptied.flatMap((place) => ['--ro-bind', empty, place]),
    ...['--bind', home, seenAs.home, '--bind', folder, seenAs.folder, '--chdir', seenAs.folder],
  ];
}
