import type { RunCheck } from '../../../engine/kind/kind-hooks.ts';
import type { Task, ThoughtPath } from './task.ts';

/**
 * A command decides: a path is a solution where it ends with exit code 0. The problem and the thoughts reach it as JSON
 * on its standard input, `{"problem": "…", "thoughts": ["…"]}`, and never as words of a command line.
 */
export function commandTask(runCheck: RunCheck): Task {
  return {
    name: 'command',
    defaults: {},
    solved: async (path, signal) => (await runCheck(inputOf(path), signal)).exitCode === 0,
  };
}

function inputOf({ problem, thoughts }: ThoughtPath): string {
  return `${JSON.stringify({ problem, thoughts: thoughts.map(({ content }) => content) })}\n`;
}
