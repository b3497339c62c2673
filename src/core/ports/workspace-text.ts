import type { FileLines } from '../citations/citation.ts';

/** The text that quotations are needed for. */
export interface QuotationRequest {
  readonly question: string;
  /** The titles on the way from the first level down to the node; empty for the question itself. */
  readonly titles: readonly string[];
  /** Texts that may name files of the workspace: if there are any, only files that they name are quoted. */
  readonly naming?: readonly string[];
  /** Lines that the conversation already contains. */
  readonly shown: readonly FileLines[];
}

/** Lines of a file, word for word. */
export interface WorkspaceQuotation extends FileLines {
  readonly lines: readonly string[];
}

/** The question that an overview of the workspace is needed for. */
export interface OverviewRequest {
  /** The question of the search: the overview names the places that it is most about. */
  readonly question: string;
  /** Its maximum length, in tokens as `countTokens` counts them. */
  readonly maxTokens: number;
}

/** A file as models may see it. */
export interface FileText {
  readonly text: string;
  /** The number of secrets that were left out of it; undefined if that is unknown. */
  readonly secrets?: number;
}

/** Why a file cannot be read as a source. */
export type Unreadable = 'outside' | 'missing' | 'ignored' | 'too-large' | 'not-text';

/** The text of the workspace: what is quoted to models, and what their quotations are checked against. */
export interface WorkspaceText {
  /** The quotations for a node, best first. May take as long as reading the whole workspace, the first time. */
  find(request: QuotationRequest, signal: AbortSignal): Promise<readonly WorkspaceQuotation[]>;
  /**
   * Describes the workspace for a prompt: its name and purpose, languages, folders and files with their lines, where it
   * starts, and the places that a question is most about. Lines of plain text, safe to put between marks of our own;
   * empty for an empty folder, or if nothing fits. For one folder and request, the text is always the same.
   */
  overview(request: OverviewRequest, signal: AbortSignal): Promise<string>;
  /**
   * A file's current text, without its secrets. The path is hostile: whatever it says, nothing outside the workspace is
   * read.
   */
  read(path: string): Promise<FileText | { readonly unreadable: Unreadable }>;
  /** The paths of files that have this name, the last part of a path; in order, and not more than a few. */
  named(name: string): Promise<readonly string[]>;
  /** A file's text when this search read the workspace; undefined if it did not. */
  asSearched(path: string): Promise<string | undefined>;
  /** Stops the background work. */
  close(): Promise<void>;
}
