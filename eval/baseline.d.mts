/** A file as the baselines read it. */
export interface BaselineFile {
  readonly path: string;
  readonly text: string;
}

/** Lines of a file, from 1, inclusive. */
export interface BaselineChunk extends BaselineFile {
  readonly start: number;
  readonly end: number;
}

export declare const NOT_CODE: RegExp;
export declare function read(folder: string): BaselineFile[];
export declare function chunksOf(files: readonly BaselineFile[], size?: number): BaselineChunk[];
/** Files, best first. */
export declare function rg(files: readonly BaselineFile[]): (question: string) => { readonly path: string }[];
/** Chunks, best first. */
export declare function better(pieces: readonly BaselineChunk[]): (question: string) => BaselineChunk[];
export declare function first(hits: readonly { readonly path: string }[]): string[];
