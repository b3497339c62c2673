import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelRequest } from '../../../../src/core/ports/model.ts';
import { ONE_CALL } from '../../../support/models/one-call.ts';
import { modelRequest } from '../model-request.ts';
import { type Body, INPUT, RESULT, TOOL, TOOL_CASES } from './tool-cases.ts';

describe('tools of chat models', () => {
  for (const [name, subject] of Object.entries(TOOL_CASES))
    it(`${name}: asks for a tool, gets its result, and answers`, async () => {
      const bodies: Body[] = [];
      const respond = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
        const chunks: Buffer[] = [];
        for await (const each of request) chunks.push(each as Buffer);
        if (request.url === '/api/show') {
          reply.end(JSON.stringify({ model_info: { 'general.architecture': 'x', 'x.context_length': 32_768 } }));
          return;
        }
        bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
        const isEvents = subject.type === 'text/event-stream';
        reply.writeHead(200, { 'content-type': subject.type });
        for (const each of bodies.length === 1 ? subject.asks : subject.answers)
          reply.write(
            isEvents
              ? `${'type' in each ? `event: ${each.type}\n` : ''}data: ${JSON.stringify(each)}\n\n`
              : `${JSON.stringify(each)}\n`,
          );
        reply.end(name === 'openai-compatible' ? 'data: [DONE]\n\n' : '');
      };
      const server = createServer((request, reply) => void respond(request, reply)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const { port } = server.address() as AddressInfo;
        const model = await subject.open({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk-1234567890' });
        assert.equal(model.tools, true);
        const first = modelRequest({ prompt: 'Go.', tools: [TOOL] });
        const call = { ...ONE_CALL, signal: new AbortController().signal };
        const asked = await model.generate(first, call);
        assert.equal(asked.finish, 'tools');
        assert.deepEqual(
          asked.toolCalls?.map(({ name: tool, input }) => [tool, input]),
          [['read_lines', INPUT]],
        );
        assert.equal(asked.usage?.prompt, 20);
        // As it comes back from the file of a conversation.
        const toolCalls = JSON.parse(JSON.stringify(asked.toolCalls)) as NonNullable<typeof asked.toolCalls>;
        const [use] = toolCalls;
        assert.ok(use);
        const second: ModelRequest = {
          ...first,
          turns: [
            { role: 'user', text: 'Go.' },
            { role: 'assistant', text: asked.text, toolCalls },
          ],
          prompt: '',
          toolResults: [{ id: use.id, name: use.name, text: RESULT }],
          toolsAreOver: true,
        };
        const answer = await model.generate(second, call);
        assert.deepEqual([answer.text, answer.finish], ['Done.', 'stop']);
        assert.deepEqual((subject.sent(bodies[0]) as Body).tools, subject.tools);
        assert.deepEqual((subject.sent(bodies[1]) as Body).exchange, subject.exchange);
        assert.deepEqual(subject.over(bodies[1]), subject.isOver);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
});
