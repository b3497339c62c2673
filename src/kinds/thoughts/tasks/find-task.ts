import type { RunCheck } from '../../../engine/kind/kind-hooks.ts';
import { commandTask } from './command.ts';
import { game24 } from './game24.ts';
import type { FindTask, Task } from './task.ts';

/** No hooks at all: only the model decides. */
const none: Task = { name: 'none', defaults: {} };

/** A person's additions to the built-in tasks, by flags and settings; nothing comes from a clone. */
export interface OwnTasks {
  /** The command of the task `command`; without it there is no such task. */
  readonly runCheck?: RunCheck | undefined;
  /** Hooks of their own; they cannot use the name of a built-in task. */
  readonly tasks?: readonly Task[] | undefined;
}

/** The built-in tasks, and a person's own, by name. */
export function findTaskWith({ runCheck, tasks = [] }: OwnTasks): FindTask {
  const shipped = [game24, none, ...(runCheck ? [commandTask(runCheck)] : [])];
  const table = new Map([...tasks, ...shipped].map((task) => [task.name, task]));
  return (name) => table.get(name);
}

/** The tasks that need nothing from a person. */
export const findTask: FindTask = findTaskWith({});

/**
 * For reading or steering a search without making thoughts: a missing task is replaced by one that accepts nothing as a
 * solution, since only the task itself may.
 */
export const findTaskOrStandIn: FindTask = (name) => findTask(name) ?? { name, defaults: {}, solved: () => false };
