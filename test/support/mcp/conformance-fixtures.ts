// What the conformance suite calls: its own tools, resources and prompts, next to those of our factory.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  fromJsonSchema,
  type GetPromptResult,
  type InputRequiredSpec,
  inputRequired,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const SECRET = 'the fixtures sign their state';

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const says = (said: string): CallToolResult => ({ content: [text(said)] });
const embedded = (uri: string, mimeType: string, said: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: said } }) as const;

const Name = z.object({ name: z.string() });
const askName = (message = 'What is your name?') => inputRequired.elicit({ message, requestedSchema: Name });

/** Adds them to a server that our factory made. */
export function addFixtures(server: McpServer): void {
  addContents(server);
  addInputs(server);
  addResources(server);
  addPrompts(server);
}

type Handler = (ctx: ServerContext) => unknown;

function tool(server: McpServer, name: string, handler: Handler): void {
  server.registerTool(name, { description: name }, (async (ctx: ServerContext) => await handler(ctx)) as never);
}

function addContents(server: McpServer): void {
  tool(server, 'test_simple_text', () => says('This is a simple text response for testing.'));
  tool(server, 'test_image_content', () => ({ content: [image] }));
  tool(server, 'test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  tool(server, 'test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  tool(server, 'test_multiple_content_types', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  tool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool(server, 'test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
      await sleep(50);
    }
    return says('done');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'a tool with a schema of 2020-12', inputSchema: fromJsonSchema(SCHEMA_2020_12 as never) },
    (async () => says('ok')) as never,
  );
}

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function addInputs(server: McpServer): void {
  const ask = (inputRequests: NonNullable<InputRequiredSpec['inputRequests']>, requestState?: string) =>
    inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) } as never);
  const given = ({ mcpReq }: ServerContext, key: string): unknown => mcpReq.inputResponses?.[key];
  const nameFrom = ({ mcpReq }: ServerContext, key: string) =>
    acceptedContent(mcpReq.inputResponses as never, key, Name);

  tool(server, 'test_input_required_result_elicitation', (ctx) => {
    const answer = nameFrom(ctx, 'user_name');
    return answer ? says(`Hello, ${answer.name}!`) : ask({ user_name: askName() });
  });
  const question = { messages: [{ role: 'user', content: text('What is the capital of France?') }], maxTokens: 100 };
  tool(server, 'test_input_required_result_sampling', (ctx) =>
    given(ctx, 'capital_question')
      ? says(JSON.stringify(given(ctx, 'capital_question')))
      : ask({ capital_question: inputRequired.createMessage(question as never) }),
  );
  tool(server, 'test_input_required_result_list_roots', (ctx) =>
    given(ctx, 'client_roots')
      ? says(JSON.stringify(given(ctx, 'client_roots')))
      : ask({ client_roots: inputRequired.listRoots() }),
  );
  tool(server, 'test_input_required_result_request_state', (ctx) => {
    const Ok = z.object({ ok: z.boolean() });
    if (given(ctx, 'confirm') && stateOf(ctx) === 'confirm') return says('state-ok');
    return ask(
      { confirm: inputRequired.elicit({ message: 'Please confirm', requestedSchema: Ok }) },
      signed('confirm'),
    );
  });
  tool(server, 'test_input_required_result_multiple_inputs', (ctx) => {
    if (['user_name', 'greeting', 'client_roots'].every((key) => given(ctx, key)))
      return says(`all of ${stateOf(ctx)}`);
    const greeting = { messages: [{ role: 'user', content: text('Generate a greeting') }], maxTokens: 50 };
    return ask(
      {
        user_name: askName(),
        greeting: inputRequired.createMessage(greeting as never),
        client_roots: inputRequired.listRoots(),
      },
      signed('three'),
    );
  });
  tool(server, 'test_input_required_result_multi_round', (ctx) => {
    const Color = z.object({ color: z.string() });
    if (given(ctx, 'step2') && stateOf(ctx) === 'round-2') return says('both steps');
    if (!given(ctx, 'step1')) return ask({ step1: askName('Step 1: What is your name?') }, signed('round-1'));
    const color = { message: 'Step 2: What is your favorite color?', requestedSchema: Color };
    return ask({ step2: inputRequired.elicit(color) }, signed('round-2'));
  });
  tool(server, 'test_input_required_result_tampered_state', (ctx) => {
    if (ctx.mcpReq.requestState<string>() === undefined) return ask({ user_name: askName() }, signed('untampered'));
    return says(stateOf(ctx) ?? '');
  });
  const capabilitiesOf = ({ mcpReq }: ServerContext): Record<string, unknown> =>
    ((mcpReq.envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as never;
  tool(server, 'test_input_required_result_capabilities', (ctx) => {
    const can = capabilitiesOf(ctx);
    if (Object.keys(ctx.mcpReq.inputResponses ?? {}).length > 0) return says('done');
    return ask({
      ...(can['elicitation'] !== undefined && { user_name: askName() }),
      ...(can['sampling'] !== undefined && { capital_question: inputRequired.createMessage(question as never) }),
    });
  });
  tool(server, 'test_missing_capability', () =>
    ask({ capital_question: inputRequired.createMessage(question as never) }),
  );
  tool(server, 'test_streaming_elicitation', (ctx) =>
    given(ctx, 'user_name') ? says('done') : ask({ user_name: askName() }),
  );
  tool(server, 'test_logging_tool', () => says('Nothing was logged: logs go to standard error.'));
  tool(server, 'test_trigger_tool_change', () => {
    server.sendToolListChanged();
    return says('told');
  });
  tool(server, 'test_trigger_prompt_change', () => {
    server.sendPromptListChanged();
    return says('told');
  });
}

/** Returns a state that nobody else can make. */
function signed(state: string): string {
  return `${state}.${createHmac('sha256', SECRET).update(state).digest('hex')}`;
}

function stateOf({ mcpReq }: ServerContext): string | undefined {
  const given = mcpReq.requestState<string>();
  if (given === undefined) return undefined;
  const state = given.slice(0, given.lastIndexOf('.'));
  const [wanted, got] = [Buffer.from(signed(state)), Buffer.from(given)];
  if (wanted.length === got.length && timingSafeEqual(wanted, got)) return state;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This state was not made here.');
}

function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' };
  server.registerResource('static-text', 'test://static-text', plain, async ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { mimeType: 'image/png' },
    async ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'image/png', blob: PNG }],
    }),
  );
  server.registerResource('watched', 'test://watched-resource', plain, async ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: 'watched' }],
  }));
  const json = { mimeType: 'application/json' };
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, json, async ({ href: uri }, { id }) => ({
    contents: [{ uri, ...json, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const user = (...contents: object[]) =>
    ({ messages: contents.map((content) => ({ role: 'user', content })) }) as GetPromptResult;
  server.registerPrompt('test_simple_prompt', { description: 'simple' }, () =>
    user(text('This is a simple prompt for testing.')),
  );
  const arg1 = completable(z.string(), (typed) => ['paris', 'park', 'party'].filter((name) => name.startsWith(typed)));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'arguments', argsSchema: z.object({ arg1, arg2: z.string() }) },
    (args) => user(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'embedded', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      user(
        embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'image' }, () =>
    user(image, text('Please analyze the image above.')),
  );
  const Context = z.object({ context: z.string() });
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks' }, ((ctx: ServerContext) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses as never, 'user_context', Context);
    if (answer) return user(text(`In this context: ${answer.context}`));
    const message = 'What context should the prompt use?';
    return inputRequired({
      inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema: Context }) },
    });
  }) as never);
}
