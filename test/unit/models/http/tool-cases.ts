import type { Model } from '../../../../src/core/ports/model.ts';
import type { Tool } from '../../../../src/core/ports/tool.ts';
import { openAnthropicModel } from '../../../../src/models/anthropic-model.ts';
import { openGoogleModel } from '../../../../src/models/google-model.ts';
import { openOllamaModel } from '../../../../src/models/ollama-model.ts';
import { openOpenAICompatibleModel } from '../../../../src/models/openai-compatible-model.ts';
import { openOpenAIModel } from '../../../../src/models/openai-model.ts';

export const TOOL: Tool = {
  name: 'read_lines',
  description: 'Reads lines.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
export const INPUT = { path: 'src/a.ts' };
export const RESULT = 'src/a.ts, lines 1 to 1 of 1:\n1\talpha';

/** How one provider asks for a tool, as its own documentation shows it, and what it has to be sent afterwards. */
export interface ToolCase {
  readonly open: (options: { baseUrl: string; apiKey: string }) => Model | Promise<Model>;
  readonly type: string;
  /** Its answer that asks for a tool. */
  readonly asks: readonly object[];
  /** Its answer in words. */
  readonly answers: readonly object[];
  /** What the body of a request holds of tools, of their uses, and of the results. */
  readonly sent: (body: Body) => unknown;
  readonly tools: unknown;
  readonly exchange: unknown;
  readonly over: (body: Body) => unknown;
  readonly isOver: unknown;
}
// biome-ignore lint/suspicious/noExplicitAny: bodies of five protocols
export type Body = any;

const json = JSON.stringify;
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [{ index: 0, delta, finish_reason }],
});
const CHAT_USAGE = {
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'tiny',
  choices: [],
  usage: { prompt_tokens: 20, completion_tokens: 5 },
};
const message = (stop_reason: string, block: object, delta: object) => [
  {
    type: 'message_start',
    message: {
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'tiny',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 20, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: block },
  { type: 'content_block_delta', index: 0, delta },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
];
const response = (item: object, status: string) => ({
  id: 'r1',
  object: 'response',
  created_at: 1,
  status,
  model: 'tiny',
  output: [item],
  usage: status === 'completed' ? { input_tokens: 20, output_tokens: 5 } : null,
});
const fc = { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'read_lines' };
const said = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
};
const gemini = (part: object) => ({
  candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
});
const line = (message: object) => ({
  model: 'tiny',
  created_at: '2026-11-22T08:52:19Z',
  message: { role: 'assistant', ...message },
});
const LAST = { done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 5 };
const { parameters, ...named } = TOOL;
const functionTool = { type: 'function', function: TOOL };

export const TOOL_CASES: Record<string, ToolCase> = {
  'openai-compatible': {
    open: (options) => openOpenAICompatibleModel('tiny', options),
    type: 'text/event-stream',
    asks: [
      chunk({ role: 'assistant', content: 'I look.' }),
      chunk({
        tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'read_lines', arguments: '' } }],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: json(INPUT) } }] }),
      chunk({}, 'tool_calls'),
      CHAT_USAGE,
    ],
    answers: [chunk({ role: 'assistant', content: 'Done.' }), chunk({}, 'stop'), CHAT_USAGE],
    sent: ({ tools, messages }) => ({ tools, exchange: messages.slice(-2) }),
    tools: [functionTool],
    exchange: [
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'read_lines', arguments: json(INPUT) } }],
      },
      { role: 'tool', tool_call_id: 'call_a', content: RESULT },
    ],
    over: ({ tools, tool_choice }) => [tools?.length, tool_choice],
    isOver: [1, 'none'],
  },
  openai: {
    open: (options) => openOpenAIModel('tiny', options),
    type: 'text/event-stream',
    asks: [
      { type: 'response.created', response: response({}, 'in_progress') },
      { type: 'response.output_item.added', output_index: 0, item: { ...fc, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta: json(INPUT) },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...fc, arguments: json(INPUT), status: 'completed' },
      },
      {
        type: 'response.completed',
        response: response({ ...fc, arguments: json(INPUT), status: 'completed' }, 'completed'),
      },
    ],
    answers: [
      { type: 'response.created', response: response({}, 'in_progress') },
      { type: 'response.output_item.added', output_index: 0, item: { ...said, content: [] } },
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: 'Done.',
        logprobs: [],
      },
      { type: 'response.output_item.done', output_index: 0, item: said },
      { type: 'response.completed', response: response(said, 'completed') },
    ],
    sent: ({ tools, input }) => ({
      tools: tools?.map(({ type, name, description, parameters: schema }: Body) => ({
        type,
        name,
        description,
        parameters: schema,
      })),
      exchange: input.slice(-2),
    }),
    tools: [{ type: 'function', ...TOOL }],
    exchange: [
      { type: 'function_call', call_id: 'call_a', name: 'read_lines', arguments: json(INPUT) },
      { type: 'function_call_output', call_id: 'call_a', output: RESULT },
    ],
    over: ({ tools, tool_choice }) => [tools?.length, tool_choice],
    isOver: [1, 'none'],
  },
  anthropic: {
    open: (options) => openAnthropicModel('tiny', options),
    type: 'text/event-stream',
    asks: message(
      'tool_use',
      { type: 'tool_use', id: 'call_a', name: 'read_lines', input: {} },
      { type: 'input_json_delta', partial_json: json(INPUT) },
    ),
    answers: message('end_turn', { type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' }),
    sent: ({ tools, messages }) => ({
      tools: tools?.map(({ name, description, input_schema }: Body) => ({ name, description, input_schema })),
      exchange: messages.slice(-2).map(({ role, content }: Body) => ({
        role,
        content: content.map(({ cache_control: _, ...rest }: Body) => rest),
      })),
    }),
    tools: [{ ...named, input_schema: parameters }],
    exchange: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_a', name: 'read_lines', input: INPUT }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a', content: RESULT }] },
    ],
    over: ({ tools, tool_choice }) => [tools?.length, tool_choice],
    isOver: [1, { type: 'none' }],
  },
  google: {
    open: (options) => openGoogleModel('gemini-3-tiny', options),
    type: 'text/event-stream',
    asks: [gemini({ functionCall: { name: 'read_lines', args: INPUT }, thoughtSignature: 'c2lnbmVk' })],
    answers: [gemini({ text: 'Done.' })],
    sent: ({ tools, contents }) => ({
      tools: tools?.[0].functionDeclarations.map(({ name, description }: Body) => ({ name, description })),
      exchange: contents.slice(-2).map(({ role, parts }: Body) => ({
        role,
        parts: parts.map(({ functionCall, functionResponse, thoughtSignature }: Body) =>
          functionCall
            ? { call: [functionCall.name, functionCall.args], thoughtSignature }
            : { response: [functionResponse?.name, functionResponse?.response.content] },
        ),
      })),
    }),
    tools: [named],
    exchange: [
      { role: 'model', parts: [{ call: ['read_lines', INPUT], thoughtSignature: 'c2lnbmVk' }] },
      { role: 'user', parts: [{ response: ['read_lines', RESULT] }] },
    ],
    over: ({ tools, toolConfig }) => [tools?.length, toolConfig?.functionCallingConfig?.mode],
    isOver: [1, 'NONE'],
  },
  ollama: {
    open: (options) => openOllamaModel('tiny', options),
    type: 'application/x-ndjson',
    asks: [
      {
        ...line({ content: 'I look.', tool_calls: [{ function: { name: 'read_lines', arguments: INPUT } }] }),
        done: false,
      },
      { ...line({ content: '' }), ...LAST },
    ],
    answers: [
      { ...line({ content: 'Done.' }), done: false },
      { ...line({ content: '' }), ...LAST },
    ],
    sent: ({ tools, messages }) => ({ tools, exchange: messages.slice(-2) }),
    tools: [functionTool],
    exchange: [
      { role: 'assistant', content: 'I look.', tool_calls: [{ function: { name: 'read_lines', arguments: INPUT } }] },
      { role: 'tool', tool_name: 'read_lines', content: RESULT },
    ],
    over: ({ tools }) => tools,
    isOver: undefined,
  },
};
