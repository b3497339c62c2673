import type { FileLines } from '../citations/citation.ts';

/** What quotations are needed for. */
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

/** What was found in the workspace. */
export interface FoundQuotations {
  /** Whether the question is about this workspace at all. */
  readonly touches: boolean;
  /** Best first. */
  readonly quotations: readonly WorkspaceQuotation[];
}

/** A file as models may see it. */
export interface FileText {
  readonly text: string;
  /** How many secrets were left out of it; none where it is not told. */
  readonly secrets?: number;
}

/** Why a file cannot be read as a source. */
export type Unreadable = 'outside' | 'missing' | 'ignored' | 'too-large' | 'not-text';

/** The text of the workspace: what is quoted to models, and what their quotations are checked against. */
export interface WorkspaceText {
  /** The best quotations for a node. May take as long as reading the whole workspace, the first time. */
  find(request: QuotationRequest, signal: AbortSignal): Promise<FoundQuotations>;
  /**
   * A file's current text, without its secrets. The path is hostile: whatever it says, nothing outside the workspace is
   * read.
   */
  read(path: string): Promise<FileText | { readonly unreadable: Unreadable }>;
  /** A file's text when this search read the workspace; undefined if it did not. */
  asSearched(path: string): Promise<string | undefined>;
  /** Stops the background work. */
  close(): Promise<void>;
}
