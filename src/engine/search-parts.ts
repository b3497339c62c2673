import type { Translation } from '../core/messages/message.ts';
import type { Model } from '../core/ports/model.ts';
import type { Clock, Random } from '../core/ports/ports.ts';
import type { Store } from '../core/ports/store.ts';
import type { Toolbox } from '../core/ports/tool.ts';
import type { ToolsIn } from '../core/ports/tool-place.ts';
import type { Workshop } from '../core/ports/workshop.ts';
import type { WorkspaceText } from '../core/ports/workspace-text.ts';
import type { Limits, Size } from '../core/search/limits.ts';
import type { Listener } from './history.ts';
import type { FindHooks } from './kind/kind-hooks.ts';
import type { Kinds } from './kind/kinds.ts';
import type { OwnUse } from './own-use.ts';
import type { Slots } from './search-context.ts';

export interface SearchParts {
  /** The kinds that this program knows. */
  readonly kinds: Kinds;
  /** Opened for writing: this process holds the lease. */
  readonly store: Store;
  readonly model: Model;
  /** The model that picks and evaluates, if different. */
  readonly judge?: Model;
  readonly clock: Clock;
  readonly random: Random;
  /** The search's folder relative to the workspace folder, with `/`. */
  readonly folder: string;
  /** The limits that this person gives now; the others come from the journal, else from the search, else by default. */
  readonly limits?: { size?: Size; maxDepth?: number; guards?: Limits['guards'] };
  /** This user's earlier use of the search; without it, where nothing is remembered, its journal counts as theirs. */
  readonly own?: OwnUse;
  /** Number of slots; by default 4. */
  readonly concurrency?: number;
  /** Room for calls that may change while the search runs. */
  readonly slots?: Slots;
  /** The options of its kind that this run sets; they take precedence over search.json. */
  readonly options?: object;
  /** Time limit for a call, in milliseconds; by default 5 minutes. */
  readonly timeoutMs?: number;
  /** The first wait after a failure, in milliseconds; each further one is twice as long. */
  readonly retryMs?: number;
  /** Finds a person's own hooks by name; by default the built-in ones. */
  readonly findHooks?: FindHooks;
  /** The text of the workspace, to quote to the model and to check its quotations against; closed with the search. */
  readonly workspaceText?: WorkspaceText;
  /** Where files are changed and commands run, for kinds that do so; closed with the search. */
  readonly workshop?: Workshop;
  /** Makes the tools with which models work there. */
  readonly toolsIn?: ToolsIn;
  /** False if prompts are to contain no quotations of the workspace. */
  readonly context?: boolean;
  /** The tools that models may use while they write. */
  readonly toolbox?: Toolbox;
  /** True if models may use them; by default as the search says, else not at all. */
  readonly tools?: boolean;
  /** The language of reports; English without one. */
  readonly translation?: Translation;
  /** Receives every event, including those of the opening; `listen` adds others later. */
  readonly listener?: Listener;
}
