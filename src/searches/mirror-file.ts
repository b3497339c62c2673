import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Mirror, MirrorAsk, MirrorStatus, WholeSearch } from '../core/kind/kind-format.ts';
import type { ReadStore } from '../core/ports/store.ts';
import { ThoughtTreeError } from '../core/search/errors.ts';
import { toFileError } from '../store/files/files.ts';
import { makeFolders } from '../store/files/folders.ts';
import { replaceFile } from '../store/files/replace-file.ts';
import * as say from './messages.ts';
import { StateFolder } from './trust/state-folder.ts';

/** The largest file that is read, in bytes. */
const LARGEST = 2 * 1024 * 1024;
/** The text that this user's programs wrote last for a search, so that a later run knows its own file. */
const Written = z.object({ file: z.string(), text: z.string() });

/** The file and the search of a mirror. */
export interface MirrorRequest {
  readonly file: string;
  readonly mirror: Mirror;
  /** The search's own id. */
  readonly id: string | undefined;
  readonly search: WholeSearch & { readonly store: Pick<ReadStore, 'readImported'> };
}

/** A file that tells other programs how a search is. It is written only as long as nobody else changed it. */
export class MirrorFile {
  readonly #request: MirrorRequest;
  /** The file's text as far as we know; undefined if there is none. */
  #ours: string | undefined;

  private constructor(request: MirrorRequest, ours: string | undefined) {
    this.#request = request;
    this.#ours = ours;
  }

  /**
   * Takes a file that does not exist, that the search was imported from, or that it wrote before.
   * @throws ThoughtTreeError `exists` for any other file
   */
  static async open(request: MirrorRequest): Promise<MirrorFile> {
    const { file, search } = request;
    const found = await textIn(file);
    const before = writtenBefore(request);
    if (found === undefined || found === before) return new MirrorFile(request, found);
    if (before !== undefined) return new MirrorFile(request, before);
    if (found === (await search.store.readImported())) return new MirrorFile(request, found);
    throw new ThoughtTreeError('exists', say.notOurMirror({ file }), { file });
  }

  /** Reads what others ask for by having changed the file; undefined if nobody did. */
  async asked(): Promise<MirrorAsk | undefined> {
    const found = await textIn(this.#request.file);
    if (found === this.#ours) return undefined;
    if (found === undefined || this.#ours === undefined)
      return { stop: false, redirect: true, changes: [], notes: [say.mirrorGone()] };
    return this.#request.mirror.asks(this.#ours, found);
  }

  /**
   * Writes how the search is.
   * @returns what others ask for, if the file is not as we left it: then nothing is written
   */
  async update(status: MirrorStatus): Promise<MirrorAsk | undefined> {
    const { mirror, search } = this.#request;
    const asked = await this.asked();
    if (asked) return asked;
    const text = await mirror.write(search, status);
    if (text === this.#ours) return undefined;
    return await this.#replace(text, this.#ours);
  }

  /** Says that the run was stopped, in a file in which others asked for that; all else in it stays. */
  async obeyStop(): Promise<void> {
    const found = await textIn(this.#request.file);
    if (found !== undefined) await this.#replace(this.#request.mirror.stopped(found), found);
  }

  /** Replaces the file as a whole, if it still says `before`. */
  async #replace(text: string, before: string | undefined): Promise<MirrorAsk | undefined> {
    const { file, id, mirror } = this.#request;
    let found: string | undefined;
    const mayReplace = async (): Promise<boolean> => {
      found = await textIn(file);
      return found === before;
    };
    await makeFolders(dirname(file)).catch((error: unknown) => {
      throw toFileError(error, file, 'write');
    });
    if (!(await replaceFile(file, text, { mayReplace })))
      return found === undefined ? await this.asked() : mirror.asks(before ?? '', found);
    this.#ours = text;
    if (id !== undefined) StateFolder.open()?.write(nameOf(id), JSON.stringify({ file, text }));
    return undefined;
  }
}

function writtenBefore({ id, file }: MirrorRequest): string | undefined {
  const text = id === undefined ? undefined : StateFolder.open()?.read(nameOf(id));
  if (text === undefined) return undefined;
  try {
    const written = Written.safeParse(JSON.parse(text)).data;
    return written?.file === file ? written.text : undefined;
  } catch {
    return undefined;
  }
}

function nameOf(id: string): string {
  return `searches/${id}.mirror`;
}

/** @throws ThoughtTreeError `exists` for what is no file of a reasonable size */
async function textIn(file: string): Promise<string | undefined> {
  const about = await lstat(file).catch(() => undefined);
  if (!about) return undefined;
  if (!about.isFile() || about.size > LARGEST)
    throw new ThoughtTreeError('exists', say.notOurMirror({ file }), { file });
  return await readFile(file, 'utf8');
}

const LARGEST_SETTINGS = 4 * 1024 * 1024;
const DEEPEST = 3;
const MOST_FOLDERS = 2000;

/**
 * Where a plugin of an agent's program is installed, for this user or for a workspace; undefined if it is found nowhere.
 * @param home where that program keeps what it installs
 */
export async function findProgram(name: string, workspace: string, home = programHome()): Promise<string | undefined> {
  const settings = [
    join(workspace, '.claude', 'settings.json'),
    join(workspace, '.claude', 'settings.local.json'),
    join(home, 'settings.json'),
    join(home, 'plugins', 'installed_plugins.json'),
  ];
  for (const file of settings) if (await names(file, name)) return file;
  return (
    (await folderNamed(name, join(workspace, '.claude', 'plugins'))) ?? (await folderNamed(name, join(home, 'plugins')))
  );
}

function programHome(): string {
  return process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude');
}

async function names(file: string, name: string): Promise<boolean> {
  const about = await stat(file).catch(() => undefined);
  if (!about?.isFile() || about.size > LARGEST_SETTINGS) return false;
  return (await readFile(file, 'utf8').catch(() => '')).includes(name);
}

async function folderNamed(name: string, top: string): Promise<string | undefined> {
  let level = [top];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level.slice(0, MOST_FOLDERS)) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.name.startsWith(name)) return path;
        if (entry.isDirectory()) below.push(path);
      }
    }
    level = below;
  }
  return undefined;
}
