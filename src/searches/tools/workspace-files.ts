import type { FileText, Unreadable } from '../../core/ports/workspace-text.ts';
import { isOddPath } from '../../core/text/text.ts';
import { CitedFiles } from '../../text/files/cited-files.ts';
import { listFiles } from '../../text/files/list-files.ts';
import { SecretFilter } from '../../text/secrets/secret-filter.ts';
import { Refusal } from './workspace-tool.ts';

/** How long a list of files is cached, in milliseconds: several slots read at the same time. */
const LIST_MS = 5000;

const WHY: Readonly<Record<Unreadable, string>> = {
  outside:
    'That path leads out of the workspace, and only the workspace can be read. Give a path relative to it, with /.',
  missing: 'There is no such file. Look with list_files or search_text.',
  ignored: 'That file is not for reading: it is ignored, belongs to a search, or usually holds a secret.',
  'too-large': 'That file is larger than 2 MB, too large to be read.',
  'not-text': 'That is not a text file.',
};

/** The files of a workspace that models may see. */
export class WorkspaceFiles {
  readonly #folder: string;
  readonly #searches: string | undefined;
  readonly #filter: SecretFilter;
  readonly #cited: CitedFiles;
  #listed: { readonly at: number; readonly files: Promise<readonly string[]> } | undefined;

  /**
   * @param folder the workspace, an absolute path
   * @param allowedFiles as for `SecretFilter`
   * @param searches as for `listFiles`
   */
  constructor(folder: string, allowedFiles: readonly string[] = [], searches?: string) {
    this.#folder = folder;
    this.#searches = searches;
    this.#filter = new SecretFilter(folder, allowedFiles);
    this.#cited = new CitedFiles(folder, allowedFiles, searches);
  }

  /**
   * The files below a folder, relative to the workspace, with `/`, in order.
   * @param folder as written by a model; empty for the workspace
   * @throws Refusal if it leads outside, or contains nothing visible
   */
  async below(folder: string): Promise<string[]> {
    const path = pathFrom(folder);
    const all = await this.#all();
    const found = path === '' ? [...all] : all.filter((file) => file.startsWith(`${path}/`));
    if (found.length === 0 && path !== '')
      throw new Refusal(
        all.includes(path)
          ? 'That is a file. Read it with read_lines.'
          : 'There is no such folder, or none to be seen.',
      );
    return found;
  }

  /** @throws Refusal saying why it cannot be read */
  async read(path: string): Promise<FileText> {
    const found = await this.#cited.read(pathFrom(path));
    if ('unreadable' in found) throw new Refusal(WHY[found.unreadable]);
    return found;
  }

  /** The same of a file as `below` names it; empty where it cannot be read or does not hold a text. */
  async search(path: string, wanted: string): Promise<{ readonly text: string; readonly length: number }> {
    const found = await this.#cited.search(path, wanted);
    return 'unreadable' in found ? { text: '', length: 0 } : found;
  }

  /** Files came or went: what was listed before does not count any more. */
  changed(): void {
    this.#listed = undefined;
  }

  #all(): Promise<readonly string[]> {
    const now = performance.now();
    if (!this.#listed || now - this.#listed.at > LIST_MS)
      this.#listed = { at: now, files: listFiles(this.#folder, this.#filter, this.#searches) };
    return this.#listed.files;
  }
}

/**
 * Normalizes a path written by a model: `./src/` is `src`.
 * @throws Refusal if it leads out of the workspace
 */
function pathFrom(written: string): string {
  const steps = written.split('/');
  const isOutside = written.startsWith('/') || /^(~|[a-z]:|file:)/i.test(written) || steps.includes('..');
  if (isOutside || isOddPath(written)) throw new Refusal(WHY.outside);
  return steps.filter((step) => step !== '' && step !== '.').join('/');
}
