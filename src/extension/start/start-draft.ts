import type { Memento } from 'vscode';
import type { Size } from '../../core/search/limits.ts';
import type { About } from './about.ts';
import type { Choices } from './start-questions.ts';

const DRAFT = 'draft';
const LAST_KIND = 'lastKind';

/** The answers of a person so far for a search that has not begun. */
export interface Draft {
  /** The workspace folder it is about, as a path. */
  readonly folder?: string | undefined;
  /** The name of its kind. */
  readonly kind?: string | undefined;
  /** As typed so far; may have several lines. */
  readonly question?: string | undefined;
  /** True if that is the question, and not only what was typed of it. */
  readonly isAsked?: boolean;
  /** The lines or the file that it is about, if it is. */
  readonly about?: About | undefined;
  /** True if these go along. */
  readonly isAboutLeftOut?: boolean;
  /** The plan that it begins with, as its kind checked it. */
  readonly plan?: string | undefined;
  /** The options of its kind that were asked for, by question. */
  readonly answers?: readonly Choices[] | undefined;
  /** Its model, if not the one of the settings. */
  readonly model?: string | undefined;
  readonly size?: Size | undefined;
  /** The calls it may make, if the size allows more than usual. */
  readonly calls?: number | undefined;
}

/** The part that is kept: what was typed, and what it is about. */
type Kept = Pick<Draft, 'folder' | 'kind' | 'question' | 'about'>;

/**
 * Keeps a question that was typed until it is a search: through Escape, a reload of the window, and a start that failed.
 * In the editor's own memory of the workspace.
 */
export class DraftMemory {
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  get kept(): Kept {
    return this.#memory.get<Kept>(DRAFT) ?? {};
  }

  /** Returns the draft with which a new start begins: empty if nothing was typed. */
  get typed(): Kept {
    return this.kept.question?.trim() ? this.kept : {};
  }

  /** The kind of the search that was begun last. */
  get lastKind(): string | undefined {
    return this.#memory.get<string>(LAST_KIND);
  }

  keep({ folder, kind, question, about }: Draft): void {
    void this.#memory.update(DRAFT, { folder, kind, question, about } satisfies Kept);
  }

  /** It has begun. */
  async forget({ kind }: Draft): Promise<void> {
    await this.#memory.update(DRAFT, undefined);
    await this.#memory.update(LAST_KIND, kind);
  }
}
