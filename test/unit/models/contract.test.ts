import type { Model } from '../../../src/core/ports/model.ts';
import { openModel } from '../../../src/models/open-model.ts';
import { chatCompletions } from '../../support/servers/protocols/chat-completions.ts';
import { gemini } from '../../support/servers/protocols/gemini.ts';
import { messages } from '../../support/servers/protocols/messages.ts';
import { ollama } from '../../support/servers/protocols/ollama.ts';
import type { Protocol } from '../../support/servers/protocols/protocol.ts';
import { responses } from '../../support/servers/protocols/responses.ts';
import { describeModel } from './contract.ts';
import { TOOL } from './http/tool-cases.ts';

const SUBJECTS: readonly (readonly [provider: string, protocol: Protocol])[] = [
  ['openai-compatible', chatCompletions],
  ['openai', responses],
  ['anthropic', messages],
  ['google', gemini],
  ['ollama', ollama],
];

for (const [provider, protocol] of SUBJECTS)
  describeModel(provider, {
    protocol,
    keyVariable: 'THOUGHT_TREE_API_KEY',
    refuses: provider !== 'ollama',
    open: (options) => openModel(`${provider}/tiny`, { workspace: '.', ...options }),
  });

// The same holds where every request offers tools.
for (const [provider, protocol] of SUBJECTS)
  describeModel(`${provider}, with tools`, {
    protocol,
    keyVariable: 'THOUGHT_TREE_API_KEY',
    refuses: provider !== 'ollama',
    open: async (options) => offeringTools(await openModel(`${provider}/tiny`, { workspace: '.', ...options })),
  });

function offeringTools(model: Model): Model {
  return {
    ...model,
    generate: (request, call) => model.generate({ ...request, tools: [TOOL] }, call),
  };
}
