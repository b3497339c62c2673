import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { RunRequest } from '../../../../src/extension/library/run-request.ts';
import type { SearchRunner } from '../../../../src/extension/library/search-runner.ts';
import type { ApiKeys } from '../../../../src/extension/models/api-keys.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fake } from '../fake-vscode.ts';
import { sampleLibrary } from '../sidebar/sample.ts';

const { ModelOpener } = await import('../../../../src/extension/models/model-opener.ts');
const { StartCommand } = await import('../../../../src/extension/start/start-command.ts');

export interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}
export interface Input {
  readonly title: string;
  readonly given: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly buttons: { readonly tooltip?: string }[];
}

export const folder = temporaryFolder('start-steps');
export const QUESTION = 'What makes it slow?';

/** The command, in a window whose memory `memory` is. */
export function openStart(memory = new Map<string, unknown>(), refuse?: () => Promise<void>) {
  const runs: RunRequest[] = [];
  const shown: string[] = [];
  const models: string[] = [];
  const kept: string[] = [];
  const atHand: string[] = [];
  let tries = 0;
  const memento = {
    get: (key: string) => memory.get(key),
    // As the editor keeps it: what comes back is a copy.
    update: async (key: string, value: unknown) =>
      void memory.set(key, value === undefined ? undefined : JSON.parse(JSON.stringify(value))),
  };
  const command = new StartCommand({
    kinds: KINDS,
    library: sampleLibrary().library,
    runner: { run: async (request: RunRequest) => refuse?.() ?? void runs.push(request) } as unknown as SearchRunner,
    chooser: {
      chooseAt: async (_place, _scope, _needsProse, isKept) => {
        const model = models.shift();
        if (model && isKept) kept.push(model);
        return model;
      },
      chooseJudgeAt: async () => models.shift(),
      atHand: async () => [...atHand],
      test: async (name: string) => `It answers: ${name}`,
    },
    opener: new ModelOpener({ keyAt: async () => undefined } as unknown as ApiKeys),
    memory: memento as unknown as Memento,
    views: {
      // As the editor does before it has drawn the list again.
      reveal: async (begun) => {
        if (tries++ < 2) throw new Error('Cannot resolve tree item');
        shown.push(`row of ${begun}`);
      },
      draw: async (begun) => void shown.push(`drawing of ${begun}`),
    },
    subscriptions: [],
  });
  return { command, runs, shown, models, kept, atHand, memory };
}

/** Answers one question after the other: by a label, by a text, or as given. */
export function answering(...answers: (RegExp | string | object | undefined)[]): void {
  fake.answer = (question) => {
    const answer = answers.shift();
    if (!(answer instanceof RegExp)) return answer;
    const found = (question as Item[]).find(({ label }) => answer.test(label));
    assert.ok(found, `${answer} is not among ${JSON.stringify(question)}`);
    return found;
  };
}

export const inputs = (): Input[] => fake.inputs as unknown as Input[];
export const list = (): Item[] => fake.picks.at(-1) as Item[];
