import type { RunCheck } from '../../../engine/kind/kind-hooks.ts';
import { commandTask } from './command.ts';
import { game24 } from './game24.ts';
import type { FindTask, Task } from './task.ts';

/** No hooks at all: the model's word is all there is. */
const none: Task = { name: 'none', defaults: {} };

/** What a person's flags and settings add to the tasks that are shipped; nothing of it comes from a clone. */
export interface OwnTasks {
  /** The command of the task `command`; without it there is no such task. */
  readonly runCheck?: RunCheck | undefined;
  /** Hooks of their own; none of them can take the name of a shipped one. */
  readonly tasks?: readonly Task[] | undefined;
}

/** The shipped tasks, and a person's own, by name. */
export function findTaskWith({ runCheck, tasks = [] }: OwnTasks): FindTask {
  const shipped = [game24, none, ...(runCheck ? [commandTask(runCheck)] : [])];
  const table = new Map([...tasks, ...shipped].map((task) => [task.name, task]));
  return (name) => table.get(name);
}

/** The tasks that need nothing of a person's. */
export const findTask: FindTask = findTaskWith({});

/**
 * For whoever looks at a search, or steers it, and makes no thoughts: in place of a task that is not here stands one that
 * takes nothing for a solution, since only the task itself may.
 */
export const findTaskOrStandIn: FindTask = (name) => findTask(name) ?? { name, defaults: {}, solved: () => false };
