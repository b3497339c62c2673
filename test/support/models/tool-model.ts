import { type Model, type ModelRequest, wrappedModel } from '../../../src/core/ports/model.ts';
import type { Toolbox } from '../../../src/core/ports/tool.ts';
import { type ScriptedTreeOptions, scriptedTree } from '../servers/server-tree.ts';

/** A model that uses tools before it writes a document, and remembers what it was asked. */
export interface ToolModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** @param rounds how many uses it wants before it answers */
export function toolModel(tree: ScriptedTreeOptions, rounds: (request: ModelRequest) => number): ToolModel {
  const script = scriptedTree(tree);
  const requests: ModelRequest[] = [];
  return {
    name: 'simulated/tools',
    label: 'Simulated',
    free: false,
    tools: true,
    requests,
    async generate(request) {
      requests.push(request);
      const usage = { prompt: 10, cached: 0, completion: 5 };
      const used = usesIn(request);
      if (request.tools && used < rounds(request)) {
        const toolCalls = [{ id: `call_${used}`, name: 'read_lines', input: { path: `file-${used}` } }];
        return { text: 'I look.', finish: 'tools', toolCalls, usage };
      }
      const { purpose, node, prompt } = request;
      const call = { n: 0, purpose, node, attempt: 1, model: '', messages: [], prompt, maxTokens: undefined };
      return { text: script.answer(call), finish: 'stop', usage };
    },
  };
}

/** Returns the same, as one that cannot be given tools. */
export function withoutTools(model: ToolModel): ToolModel {
  return wrappedModel(model, { tools: false }) as ToolModel;
}

/** Returns how often tools were used for the question of a request. */
function usesIn({ turns, toolResults }: ModelRequest): number {
  if (!toolResults) return 0;
  const start = turns.findLastIndex((turn) => turn.role === 'user' && !turn.toolResults);
  return turns.slice(start).filter(({ toolCalls }) => toolCalls).length;
}

/** Tools that give the name of the file, and refuse `file-1`. */
export const sampleToolbox: Toolbox = {
  tools: [{ name: 'read_lines', description: 'Reads lines.', parameters: { type: 'object' } }],
  async use({ input }) {
    const { path } = input as { path: string };
    return path === 'file-1'
      ? { text: 'No.', isRefused: true, what: path }
      : { text: `In ${path}.`, isRefused: false, what: path };
  },
};
