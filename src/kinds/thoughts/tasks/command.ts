import type { Task, ThoughtPath } from '../../../core/ports/task.ts';

/** How a check ended. Undefined where it was stopped, for its time limit or because the search was. */
export interface CheckOutcome {
  readonly exitCode: number | undefined;
}

/**
 * Runs the one command that a person consented to. It comes from their flags or settings; where it runs and how long
 * it may take is decided there as well.
 * @param input what it reads from its standard input
 * @throws ThoughtTreeError where it cannot be started
 */
export type RunCheck = (input: string, signal: AbortSignal) => Promise<CheckOutcome>;

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
