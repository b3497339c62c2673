import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { countTokens } from '../../../src/core/ports/workspace-text.ts';
import { someOf } from '../../support/effort.ts';
import { startRawServer } from '../../support/servers/raw-server.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { makeWorkspace, runCli } from './run-cli.ts';

interface Body {
  readonly max_tokens: number;
  readonly messages: readonly { readonly content: string }[];
  readonly tools?: readonly object[];
}

const TREE = scriptedTree({ documentWords: 300, fanout: (_path, depth) => [3, 2][depth] ?? 0 });
const WAYS = ['list', 'refusal', 'nowhere'] as const;
/** Refusals that sending less does not mend: the first request is one that the shortest context holds. */
const IN_VAIN: readonly (readonly [status: number, message: string])[] = [
  [400, "Requested tokens (70000) exceed this model's context window of 65536 tokens."],
  [500, 'prompt is too long for the KV cache'],
  [422, 'input and max_tokens must be <= 5000, given 9100'],
];
const CASES = [4096, 8192, 16_384].flatMap((context) => WAYS.map((told) => ({ context, told })));

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

describe('a compatible server whose context is short', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  before(async () => {
    workspace = await makeWorkspace();
  });
  after(() => workspace.remove());

  for (const [status, message] of IN_VAIN)
    it(`is asked once, and a longer context advised: ${message}`, async () => {
      let asked = 0;
      const server = await startRawServer(({ method }, response) => {
        if (method === 'GET') return json(response, 200, { data: [{ id: 'm' }] });
        asked++;
        json(response, status, { error: { message } });
      });
      try {
        const model = ['--model', 'openai-compatible/m', '--base-url', `${server.url}/v1`, '--price', '1,0.1,2'];
        const title = `In vain ${status}`;
        const { code, stdout, stderr } = await runCli(['start', 'What waits?', '--title', title, ...model], {
          cwd: workspace.folder,
        });
        assert.deepEqual([code, asked], [4, 1], `${stderr}${stdout}`);
        assert.match(stdout, /choose one with a longer context/);
      } finally {
        await server.close();
      }
    });

  for (const { context, told } of someOf(CASES))
    it(`ends a whole search with its documents: ${context} tokens, told in ${told}`, async () => {
      const refused: string[] = [];
      const server = await startRawServer(({ method, headers, body: text }, response) => {
        if (method === 'GET')
          return json(response, 200, { data: [{ id: 'm', ...(told === 'list' && { max_model_len: context }) }] });
        const body = JSON.parse(text) as Body;
        const purpose = String(headers['x-thought-tree-call']);
        const sent = [...body.messages.map(({ content }) => content), JSON.stringify(body.tools ?? '')];
        const prompt = sent.reduce((sum, each) => sum + countTokens(each) + 8, 0);
        if (prompt + body.max_tokens > context) {
          refused.push(`${purpose}: ${prompt} + ${body.max_tokens}`);
          const words = told === 'refusal' ? `This model's maximum context length is ${context} tokens.` : 'Too long.';
          return json(response, 400, { error: { message: words, code: 'context_length_exceeded' } });
        }
        const node = String(headers['x-thought-tree-node'] ?? '')
          .split('/')
          .map(decodeURIComponent)
          .join('/');
        const content = TREE.answer({ purpose, node, prompt: sent.at(-2) ?? '' } as never);
        const usage = { prompt_tokens: prompt, completion_tokens: countTokens(content) };
        json(response, 200, { choices: [{ message: { content }, finish_reason: 'stop' }], usage });
      });
      try {
        const model = [
          '--model',
          'openai-compatible/m',
          '--base-url',
          `${server.url}/v1`,
          '--price',
          '1,0.1,2',
          '--least-score',
          '0',
        ];
        const title = `Told in ${told} ${context}`;
        const { code, stdout, stderr } = await runCli(['start', 'What waits?', '--title', title, ...model], {
          cwd: workspace.folder,
        });
        assert.equal(code, 0, `${refused.join('\n')}\n${stderr}${stdout}`);
        assert.ok(refused.length <= (told === 'list' ? 0 : 12), refused.join('\n'));
        const folder = join(workspace.folder, 'thought-trees', title.toLowerCase().replaceAll(' ', '-'));
        const files = await readdir(folder, { recursive: true });
        assert.ok(files.filter((file) => file.endsWith('document.md')).length >= 9, files.join('\n'));
        assert.doesNotMatch(stdout, /failed/);
      } finally {
        await server.close();
      }
    });
});
