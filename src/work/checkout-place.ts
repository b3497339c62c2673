import { lstat, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Message } from '../core/messages/message.ts';
import { CommitId } from '../core/ports/workshop.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { replaceFile } from '../store/files/replace-file.ts';
import { isGone, isOther, isPointedElsewhere, replaced } from './messages.ts';

/** The identity that tells a folder from every other one. */
const Identity = z.object({ device: z.string(), inode: z.string() });
type Identity = z.infer<typeof Identity>;

/** The facts that are remembered of a checkout, next to it. */
const About = z.object({
  version: z.literal(1),
  base: CommitId,
  folder: Identity,
  /** Of its own repository, if it has one. */
  git: Identity.optional(),
  /** True if it shows a commit that somebody named: nothing is continued there. */
  isShown: z.boolean(),
});
export type About = z.infer<typeof About>;

/** The folders of one checkout. */
export class CheckoutPlace {
  /** The folder of all of it. */
  readonly root: string;
  /** The files. */
  readonly folder: string;
  /** The home of the commands that run there. */
  readonly home: string;
  readonly #about: string;

  constructor(root: string) {
    this.root = root;
    this.folder = join(root, 'work');
    this.home = join(root, 'home');
    this.#about = join(root, 'about.json');
  }

  /** Reads what is remembered; undefined if it was never completed. */
  async about(): Promise<About | undefined> {
    const text = await readFile(this.#about, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      return About.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  }

  /** Remembers which folder was made. Only from here on the checkout exists. */
  async remember(base: CommitId, isShown: boolean): Promise<About> {
    const folder = await identityOf(this.folder);
    if (!folder) throw this.#error(isGone());
    const git = await identityOf(join(this.folder, '.git'));
    const about: About = { version: 1, base, folder, ...(git && { git }), isShown };
    await replaceFile(this.#about, `${JSON.stringify(about)}\n`, { mode: 0o600 });
    return about;
  }

  /** Forgets it, until it is remembered anew: a kill in between leaves nothing that counts. */
  async forget(): Promise<void> {
    await rm(this.#about, { force: true });
  }

  /** @throws ThoughtTreeError `outside` unless the folder is the one that was made, in its place, with its own repository */
  async assert({ folder, git }: About): Promise<void> {
    const now = await identityOf(this.folder);
    if (!now) throw this.#error(isGone());
    if (now.device !== folder.device || now.inode !== folder.inode) throw this.#error(isOther());
    if ((await realpath(this.folder)) !== this.folder) throw this.#error(isOther());
    const place = join(this.folder, '.git');
    const there = await lstat(place).catch(() => undefined);
    if (!git || !there) return; // whoever works there may do without
    const own = await identityOf(place);
    if (own?.device !== git.device || own.inode !== git.inode) throw this.#error(isPointedElsewhere());
    for (const pointer of ['commondir', 'gitdir'])
      if (await lstat(join(place, pointer)).catch(() => undefined)) throw this.#error(isPointedElsewhere());
  }

  #error(what: Message): ThoughtTreeError {
    return new ThoughtTreeError('outside', replaced({ folder: this.folder, what }), { file: this.folder });
  }
}

/** Of a folder that is no link. */
async function identityOf(folder: string): Promise<Identity | undefined> {
  const about = await lstat(folder, { bigint: true }).catch(() => undefined);
  return about?.isDirectory() ? { device: String(about.dev), inode: String(about.ino) } : undefined;
}
