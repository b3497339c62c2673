import type { Message } from '../../core/messages/message.ts';
import type { PromptData } from '../../core/ports/prompt-data.ts';
import type { OverviewRequest, QuotationRequest, WorkspaceQuotation } from '../../core/ports/workspace-text.ts';
import type { Reason } from '../../core/search/errors.ts';
import type { LeafReason } from '../../core/tree/node-status.ts';

/** The worker's options. */
export interface WorkerOptions {
  /** An absolute path. */
  readonly workspace: string;
  /** As for `SecretFilter`. */
  readonly allowedFiles?: readonly string[] | undefined;
  /** Where the workspace's searches are kept, relative to it, with `/`; by default in the usual folder. */
  readonly searches?: string | undefined;
}

/** A request to the worker: an answer of the model; quotations or an overview for another one; a file as it was read. */
export type Ask =
  | { readonly data: PromptData }
  | { readonly find: QuotationRequest }
  | { readonly overview: OverviewRequest }
  | { readonly file: string };

/** The type of each answer. */
export type AnswerTo<Question extends Ask> = Question extends { readonly data: PromptData }
  ? Reply
  : Question extends { readonly find: QuotationRequest }
    ? readonly WorkspaceQuotation[]
    : { readonly text?: string };

/** A message to the worker: a request, the number of one that nobody waits for any more, or that it is to end. */
export type ToWorker = ({ readonly id: number } & Ask) | { readonly cancel: number } | 'end';

/** An answer's text. */
export interface Reply {
  readonly text: string;
  readonly leafReason?: LeafReason;
}

/** The progress of reading the workspace, in files. */
export interface Indexing {
  readonly done: number;
  readonly files: number;
}

/** A message from the worker. */
export type FromWorker =
  | { readonly id: number; readonly indexing: Indexing }
  | { readonly id: number; readonly reply: AnswerTo<Ask> }
  | { readonly id: number; readonly error: { readonly reason: Reason; readonly say: Message } };
