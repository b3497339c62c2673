import type { DiskOperations } from '../../../src/store/files/disk/disk-operations.ts';
import { PowerDisk } from '../power/power-disk.ts';
import { seededRandom } from '../virtual-clock.ts';

/** A disk in memory, as a search opens it. */
export interface ForeignDisk {
  readonly folder: string;
  readonly operations: DiskOperations;
  readonly platform: string;
  /** How often it refused what Linux allows. */
  readonly refusals: () => number;
}

const ROOT = '/search';

/** Returns the same for names that the disk treats as equal. */
function fold(name: string): string {
  return name.normalize('NFD').toLowerCase().toUpperCase().normalize('NFD');
}

type Call = (...args: never[]) => unknown;

/** A disk on which `A` and `a` are the same name, and names are kept as they were first written, as on macOS. */
export function caseInsensitiveDisk(): ForeignDisk {
  const disk = new PowerDisk(() => 0);
  const operations = mapped(disk.operations, (path) => asWritten(disk.operations, path));
  return { folder: ROOT, operations, platform: 'darwin', refusals: () => 0 };
}

const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;

/**
 * A disk as Windows has it: `\` between names, which it treats as equal whatever their case, and some of which it reserves;
 * no inodes; folders cannot be opened; a file that is open can be neither replaced nor removed, and a virus scanner has one
 * open now and then.
 * @param hasLinks false for FAT
 */
export function windowsDisk(hasLinks = true, seed = 1): ForeignDisk {
  const disk = new PowerDisk(() => 0);
  const { operations: own, folder } = disk;
  const random = seededRandom(seed);
  const open = new Map<number, string>();
  let refused = 0;
  const refuse = (code: string, path: string): never => {
    refused++;
    throw Object.assign(new Error(`${code}: ${path}`), { code });
  };
  const place = (path: string): string => {
    if (!path.startsWith('C:\\search') || path.includes('/')) return refuse('EINVAL', path);
    const names = path.slice('C:\\search'.length).split('\\').slice(1);
    for (const name of names) if (RESERVED.test(name) || /[<>:"|?*]|[. ]$/.test(name)) return refuse('EINVAL', path);
    return asWritten(own, [folder, ...names].join('/'));
  };
  const isOpen = (path: string): boolean => [...open.values()].includes(fold(place(path)));
  const base = mapped(own, place);
  const withoutInodes = (found: object | undefined): object | undefined => found && { ...found, ino: 0 };
  const openFile = (path: string, flags: number | string): number => {
    if (base.lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return refuse('EISDIR', path);
    const descriptor = base.openSync(path, flags);
    open.set(descriptor, fold(place(path)));
    return descriptor;
  };
  const calls: Record<string, Call> = {
    realpath: async (path: string) => path,
    open: async (path: string, flags: string) => openFile(path, flags),
    openSync: openFile,
    closeSync: (descriptor: number) => {
      open.delete(descriptor);
      own.closeSync(descriptor);
    },
    renameSync: (from: string, to: string) => {
      if (isOpen(from) || isOpen(to)) return refuse('EPERM', to);
      if (random.next() < 0.05) return refuse(random.next() < 0.5 ? 'EBUSY' : 'EACCES', to);
      base.renameSync(from, to);
    },
    unlink: async (path: string) => (isOpen(path) ? refuse('EBUSY', path) : base.unlink(path)),
    linkSync: (from: string, to: string) => (hasLinks ? base.linkSync(from, to) : refuse('EPERM', to)),
    lstatSync: (path: string) => withoutInodes(base.lstatSync(path, { throwIfNoEntry: false })),
    fstatSync: (descriptor: number) => withoutInodes(own.fstatSync(descriptor)),
    fsync: async () => refuse('EPERM', 'a folder'),
  };
  const operations = { ...base, ...calls } as unknown as DiskOperations;
  return { folder: 'C:\\search', operations, platform: 'win32', refusals: () => refused };
}

/** A path whose names that exist are as they were written. */
function asWritten(disk: DiskOperations, path: string): string {
  let at = ROOT;
  for (const name of path.slice(ROOT.length).split('/').slice(1)) {
    const there = disk.lstatSync(at, { throwIfNoEntry: false })?.isDirectory()
      ? disk.readdirSync(at, { withFileTypes: true }).find((each) => fold(each.name) === fold(name))
      : undefined;
    at += `/${there?.name ?? name}`;
  }
  return at;
}

const ONE_PATH = ['mkdir', 'realpath', 'unlink', 'lstatSync', 'mkdirSync', 'open', 'openSync', 'readdirSync'] as const;
const TWO_PATHS = ['copyFileSync', 'linkSync', 'renameSync'] as const;

function mapped(disk: DiskOperations, map: (path: string) => string): DiskOperations {
  const calls: Record<string, Call> = {};
  const of = (name: string): ((...args: unknown[]) => unknown) => disk[name as keyof DiskOperations] as never;
  for (const name of ONE_PATH) calls[name] = (path: string, ...rest: unknown[]) => of(name)(map(path), ...rest);
  for (const name of TWO_PATHS)
    calls[name] = (from: string, to: string, ...rest: unknown[]) => of(name)(map(from), map(to), ...rest);
  return { ...disk, ...calls } as unknown as DiskOperations;
}
