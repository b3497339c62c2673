import { join } from 'node:path';
import { foreign } from '../../../src/core/messages/message.ts';
import type { Model } from '../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import type { Kinds } from '../../../src/engine/kind.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import type { AgentHost, Permit, ToolAnswer, Wanted } from '../../../src/searches/agent-tools/agent-host.ts';
import { agentTools } from '../../../src/searches/agent-tools/agent-tools.ts';
import { TREE_TOOLS, type TreeToolName } from '../../../src/searches/agent-tools/tool-descriptors.ts';
import { openWithEnvironment, readEnvironment } from '../../../src/searches/models/environment.ts';

/** What a test decides about its host. */
export interface ToolHostOptions {
  readonly workspace: string;
  readonly kinds?: Kinds;
  readonly models?: Partial<AgentHost['models']>;
  readonly openModel?: (name: string) => Promise<Model>;
  /** By default nothing is permitted. */
  readonly permit?: (wanted: Wanted) => Permit;
}

/** A host of the tools in this process, and everything that it asked a person. */
export class ToolHost {
  readonly host: AgentHost;
  readonly asked: Wanted[] = [];
  readonly told: string[] = [];
  readonly runs: InstanceType<typeof agentTools.OwnRuns>;

  constructor({ workspace, kinds = KINDS, models, openModel, permit }: ToolHostOptions) {
    const env = readEnvironment({});
    this.runs = new agentTools.OwnRuns({
      kinds,
      by: 'agent',
      openModel: openModel ?? ((name) => openWithEnvironment(name, { workspace, env })),
      tell: (text) => void this.told.push(text),
    });
    this.host = {
      kinds,
      folders: [{ workspace, searches: join(workspace, 'thought-trees') }],
      models: {
        usual: () => ({}),
        facts: (name) => ({ name, free: name === 'workspace/quotes' }),
        ...models,
      },
      runs: this.runs,
      permit: async (wanted) => {
        this.asked.push(wanted);
        if (permit) return permit(wanted);
        throw new ThoughtTreeError('declined', foreign({ text: 'Nobody allowed it.' }));
      },
    };
  }

  /** Calls a tool; its data fits what the tool promises. */
  async call(
    name: TreeToolName,
    args: object = {},
    {
      signal = new AbortController().signal,
      progress,
      made,
    }: { signal?: AbortSignal; progress?: (said: string) => void; made?: (search: string) => void } = {},
  ): Promise<ToolAnswer> {
    const answer = await agentTools.run(this.host, name, args, {
      signal,
      made,
      progress: progress && ((done, total, message) => progress(`${done}/${total} ${message}`)),
    });
    const descriptor = TREE_TOOLS.find((each) => each.name === name);
    descriptor?.output.strict().parse(JSON.parse(JSON.stringify(answer.data)));
    return answer;
  }

  async close(): Promise<void> {
    await this.runs.close();
  }
}
