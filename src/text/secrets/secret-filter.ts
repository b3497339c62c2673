import { createHash } from 'node:crypto';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { leaveOut } from './leave-out.ts';
import { dotFolders, isRead, isSecretName } from './secret-paths.ts';
import type { Span } from './span.ts';

/** A text without its secrets. */
export interface HiddenText {
  /** Has the same number of lines as before. */
  readonly text: string;
  /** The number of secrets that were left out of it. */
  readonly secrets: number;
}

export interface FoundSecrets {
  /** In order, apart from one another; fewer than there are secrets where those touch. */
  readonly spans: readonly Span[];
  readonly count: number;
}

const NO_SECRETS: FoundSecrets = { spans: [], count: 0 };
/** The number of texts without secrets that are remembered. */
const MOST_CLEAN = 10_000;

/**
 * Decides what models never see of a workspace: files with names or places that suggest secrets, and everything that
 * looks like a secret in the others. Only this person can allow exceptions; nothing in the folder can.
 */
export class SecretFilter {
  readonly #allowed: ReadonlySet<string>;
  /** Hashes of files without secrets: tools and citation checks read the same ones over and over. */
  readonly #clean = new Set<string>();

  /**
   * @param workspace an absolute path
   * @param allowed files that are shown unfiltered, and dot folders whose files are read like others; relative to the
   *   workspace, or absolute
   */
  constructor(workspace: string, allowed: readonly string[] = []) {
    this.#allowed = new Set(allowed.map((path) => within(workspace, path)));
  }

  /** Tells whether a file is left out completely. @param path relative to the workspace, with `/` */
  leavesOut(path: string): boolean {
    return this.whyLeftOut(path) !== undefined;
  }

  /** Why a file is left out completely: its name suggests secrets, or it is in a hidden folder; undefined if it is not. */
  whyLeftOut(path: string): 'secret' | 'hidden' | undefined {
    if (this.#allowed.has(path)) return undefined;
    if (isSecretName(path)) return 'secret';
    return this.#dotFolders(path).some((folder) => !isRead(folder)) ? 'hidden' : undefined;
  }

  /**
   * Tells whether models may not change a file: one that is left out, or in a dot folder that nobody allowed, as
   * programs and servers obey what lies there.
   */
  isKept(path: string): boolean {
    return this.leavesOut(path) || (!this.#allowed.has(path) && this.#dotFolders(path).length > 0);
  }

  #dotFolders(path: string): string[] {
    return dotFolders(path).filter((folder) => !this.#allowed.has(folder));
  }

  /** Replaces everything in a file's text that looks like a secret by `[secret left out]`. */
  async hide(path: string, text: string): Promise<HiddenText> {
    const { spans, count } = await this.find(path, text);
    return { text: leaveOut(text, spans), secrets: count };
  }

  /** Finds everything in a file's text that looks like a secret. */
  async find(path: string, text: string): Promise<FoundSecrets> {
    if (this.#allowed.has(path)) return NO_SECRETS;
    const hash = createHash('sha256').update(`${path}\0`).update(text).digest('base64');
    if (this.#clean.has(hash)) return NO_SECRETS;
    // Loaded when a workspace is read, not when a program starts.
    const { findSecrets } = await import('./hide-secrets.ts');
    const found = await findSecrets(path, text);
    if (found.count === 0) {
      if (this.#clean.size >= MOST_CLEAN) this.#clean.clear();
      this.#clean.add(hash);
    }
    return found;
  }
}

function within(workspace: string, path: string): string {
  const own = isAbsolute(path) ? relative(workspace, path) : relative(workspace, resolve(workspace, path));
  return posix.normalize(own.split(sep).join('/'));
}
