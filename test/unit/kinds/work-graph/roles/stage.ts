import type { Model, ModelCall, ModelRequest } from '../../../../../src/core/ports/model.ts';
import type { Toolbox } from '../../../../../src/core/ports/tool.ts';
import type { Checkout, ToolPlace, WorkOutcome, Workshop } from '../../../../../src/core/ports/workshop.ts';
import { Tree, type TreeNode } from '../../../../../src/core/tree/tree.ts';
import { Asks } from '../../../../../src/engine/asks.ts';
import type { SearchContext } from '../../../../../src/engine/context.ts';
import { History } from '../../../../../src/engine/history.ts';
import { ModelCaller } from '../../../../../src/engine/model-caller.ts';
import { Patience } from '../../../../../src/engine/patience.ts';
import { workGraphPurposes } from '../../../../../src/kinds/work-graph/descriptor.ts';
import type { AtomTask, Roles } from '../../../../../src/kinds/work-graph/roles/roles.ts';
import { rolesOf } from '../../../../../src/kinds/work-graph/roles/roles-of.ts';
import type { AtomFields, Try } from '../../../../../src/kinds/work-graph/run/own-fields.ts';
import { createMemoryStore } from '../../../../support/memory-store.ts';
import { QUESTION } from '../../../../support/searches/simulated-search.ts';
import { seededRandom, VirtualClock } from '../../../../support/virtual-clock.ts';
import { SAMPLE_ATOM, SAMPLE_PLAN } from './sample-plan.ts';

/** An answer with JSON in it. */
export const output = (value: unknown): string => `<output>${JSON.stringify(value)}</output>`;
export const SIGNAL = new AbortController().signal;
const OUTCOME: WorkOutcome = { exitCode: 0, output: '', outputHash: 'h', ms: 1, strayed: [] };

/** A search whose models answer by a script, with one checkout. */
export interface Stage {
  readonly roles: Roles;
  readonly requests: ModelRequest[];
  readonly places: ToolPlace[];
  readonly ran: { line: string; timeoutMs: number }[];
  readonly node: TreeNode;
  readonly checkout: Checkout;
  task(tries?: readonly Try[]): AtomTask;
}

interface Staging {
  readonly model?: Partial<Model>;
  readonly answer: (request: ModelRequest, call: ModelCall) => string | Promise<string>;
  readonly store?: Awaited<ReturnType<typeof createMemoryStore>>;
  readonly outcomes?: Readonly<Record<string, Partial<WorkOutcome>>>;
  readonly workshop?: Partial<Workshop>;
  readonly isContinued?: boolean;
  readonly readable?: Readonly<Record<string, string>>;
}

export async function stage(staging: Staging): Promise<Stage> {
  const clock = new VirtualClock();
  const store = staging.store ?? (await createMemoryStore(QUESTION));
  const history = new History(store, clock, () => undefined);
  const random = seededRandom(1);
  const [requests, places, ran]: [ModelRequest[], ToolPlace[], Stage['ran']] = [[], [], []];
  const model: Model = {
    name: 'test/model',
    label: 'Test',
    free: true,
    worksByItself: true,
    ...staging.model,
    async generate(request, call) {
      requests.push(request);
      return { text: await staging.answer(request, call), finish: 'stop' };
    },
  };
  const modelFor = (): Model => model;
  const guards = { guards: () => ({}), keptForReport: () => undefined, timeoutMs: 1000 };
  const ports = { purposes: workGraphPurposes, modelFor, store, history, clock, random };
  const caller = new ModelCaller({ ...ports, ...guards });
  const patience = new Patience(clock, random, history, 1000);
  const tree = new Tree(QUESTION.title);
  const node = tree.add(tree.root, 'read-csv', { title: 'Read CSV' });
  const checkout: Checkout = {
    folder: '/checkouts/a2',
    base: '1234567',
    isContinued: staging.isContinued ?? false,
    async run({ line, timeoutMs }) {
      ran.push({ line, timeoutMs });
      return { ...OUTCOME, ...staging.outcomes?.[line] };
    },
    commit: async () => '7654321',
    remove: async () => undefined,
  };
  const files = { 'src/csv.ts': 'export {};\n', 'README.md': '# CSV\n' };
  const workshop = {
    start: async () => '1234567',
    pathsAt: async () => Object.keys(files),
    fileAt: async (_: string, path: string) => (files as Record<string, string>)[path],
    diff: async () => ({
      files: [
        { path: 'src/csv.ts', change: 'added', added: 1, removed: 0 },
        { path: 'src/old.ts', change: 'deleted', added: 0, removed: 1 },
      ],
      text: '+export {};',
    }),
    ...staging.workshop,
  } as Partial<Workshop> as Workshop;
  const nodes = {
    change: async (_: TreeNode, patch: { sessionId: string }) => {
      tree.update(node, patch);
    },
  };
  const ctx = {
    ...ports,
    asks: new Asks({ ...ports, caller, patience, system: '' }),
    file: { ...QUESTION, prompt: 'The parser reads CSV.' },
    nodes,
    model,
    workshop,
    quotesContext: true,
    system: '',
    workspaceText: {
      find: async () => [],
      read: async (path: string) => {
        const text = staging.readable?.[path];
        return text === undefined ? { unreadable: 'missing' } : { text };
      },
    },
    toolsIn: (place: ToolPlace): Toolbox => {
      places.push(place);
      const use: Toolbox['use'] = async ({ input }, signal) => {
        const { exitCode } = await place.run(String(input), signal);
        return { text: String(exitCode), isRefused: false, what: '' };
      };
      return { tools: [{ name: 'run_command', description: '', parameters: {} }], use };
    },
  } as unknown as SearchContext;
  return {
    roles: rolesOf(ctx),
    requests,
    places,
    ran,
    node,
    checkout,
    task: (tries = []) => ({
      node,
      fields: { ...SAMPLE_ATOM, tries: [...tries] } as AtomFields,
      plan: SAMPLE_PLAN,
      bindings: [],
      seen: [],
    }),
  };
}
