import type { Translation } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import type { Toolbox } from '../core/ports/tool.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import type { Limits, Size } from '../core/search/limits.ts';
import type { Listener } from './history.ts';
import type { FindHooks } from './kind/kind-hooks.ts';
import type { Kinds } from './kind/kinds.ts';

/** What a search is put together from. */
export interface SearchParts {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  /** Opened for writing: this process holds the lease. */
  readonly store: Store;
  readonly model: Model;
  /** The model that picks and evaluates, where that is another one. */
  readonly judge?: Model;
  readonly clock: Clock;
  readonly random: Random;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  /** Limits that this person gives now; the others are those of the journal, else the search's own, else defaults. */
  readonly limits?: { size?: Size; maxDepth?: number; guards?: Limits['guards'] };
  /** Number of slots; 4 unless told. */
  readonly concurrency?: number;
  /** What this run says of its kind's options; it stands above search.json. */
  readonly options?: object;
  /** The longest a call may take, in milliseconds; 5 minutes unless told. */
  readonly timeoutMs?: number;
  /** The first wait after a failure, in milliseconds; each further one is twice as long. */
  readonly retryMs?: number;
  /** Finds a person's own hooks by name; by default those that ship with the kind. */
  readonly findHooks?: FindHooks;
  /** The text of the workspace, to quote to the model and to check its quotations against; closed with the search. */
  readonly workspaceText?: WorkspaceText;
  /** False where prompts are to carry no quotations of the workspace. */
  readonly context?: boolean;
  /** What models may use while they write, if they are to. */
  readonly toolbox?: Toolbox;
  /** Whether they are to; as the search says unless told, and not at all where that says nothing. */
  readonly tools?: boolean;
  /** What is said in reports is said in this language; in English without one. */
  readonly translation?: Translation;
  /** Hears every event, those of the opening too; `listen` adds others later. */
  readonly listener?: Listener;
}
