import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = '24M';

/** A real ext4 in a file, mounted over a loop device. */
export class LoopDisk {
  /** Where it is mounted. */
  readonly folder: string;
  readonly #room: string;
  readonly #image: string;
  readonly #empty: string;
  #isMounted = false;

  /** @throws if this system cannot make or mount one, such as without root */
  constructor() {
    this.#room = mkdtempSync(join(tmpdir(), 'thought-tree-power-'));
    this.folder = join(this.#room, 'disk');
    this.#image = join(this.#room, 'image');
    this.#empty = join(this.#room, 'empty');
    mkdirSync(this.folder);
    try {
      run('truncate', '-s', SIZE, this.#empty);
      run('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', this.#empty);
      this.renew();
      this.unmount();
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Mounts an empty one. */
  renew(): void {
    this.unmount();
    copyFileSync(this.#empty, this.#image);
    this.#mount();
  }

  /**
   * What is on the disk itself now; the system still holds the rest.
   * @returns undefined if it changed so much while it was copied that it cannot be mended
   */
  copy(): string | undefined {
    const copy = join(this.#room, 'copy');
    copyFileSync(this.#image, copy);
    try {
      run('e2fsck', '-f', '-y', copy);
    } catch (error) {
      // 1: errors were mended.
      if ((error as { status?: number }).status !== 1) return undefined;
    }
    return copy;
  }

  /** Mounts a copy in the place of the disk, as after a loss of power. */
  replaceBy(copy: string): void {
    this.unmount();
    copyFileSync(copy, this.#image);
    this.#mount();
  }

  unmount(): void {
    if (this.#isMounted) whenFree(() => run('umount', this.folder));
    this.#isMounted = false;
  }

  remove(): void {
    this.unmount();
    rmSync(this.#room, { recursive: true, force: true });
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.folder);
    this.#isMounted = true;
  }
}

// Where the programs of administrators are, which not every PATH has.
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH } });
}

/** Does something once nobody uses the disk: what git began in the background, or a killed process, may end later. */
function whenFree(act: () => void): void {
  for (let left = 300; ; left--)
    try {
      act();
      return;
    } catch (error) {
      if (left === 0 || !/busy/.test(String(error))) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
}
