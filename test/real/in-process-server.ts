// Answers in the form of OpenAI with the llama.cpp that node-llama-cpp has in its process, where no server can be built.
//   node in-process-server.ts FOLDER    the folder in which it was installed
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { randomWeights } from './random-weights.ts';

const CONTEXT = 32_768;
const SLOTS = 2;
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** What is used of its interface; it is no package of ours. */
interface Sequence {
  readonly tokenMeter: { readonly usedOutputTokens: number };
  clearHistory(): Promise<void>;
}

interface Context {
  getSequence(): Sequence;
}

interface LlamaModel {
  tokenize(text: string): number[];
  createContext(options: object): Promise<Context>;
}

interface Llama {
  loadModel(options: object): Promise<LlamaModel>;
  createGrammarForJsonSchema(schema: unknown): Promise<object>;
}

interface Completion {
  generateCompletionWithMeta(prompt: number[], options: object): Promise<{ metadata: { stopReason: string } }>;
}

interface Package {
  getLlama(options: object): Promise<Llama>;
  readonly LlamaCompletion: new (options: object) => Completion;
}

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly max_tokens: number;
  readonly stream?: boolean;
  readonly response_format?: { readonly json_schema?: { readonly schema: unknown } };
}

const from = createRequire(join(process.argv[2] ?? '', 'package.json'));
const { getLlama, LlamaCompletion }: Package = await import(pathToFileURL(from.resolve('node-llama-cpp')).href);
const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error', maxThreads: 1 });
const folder = mkdtempSync(join(tmpdir(), 'thought-tree-weights-'));
writeFileSync(join(folder, 'random.gguf'), randomWeights(CONTEXT));
const model = await llama.loadModel({ modelPath: join(folder, 'random.gguf') });
rmSync(folder, { recursive: true });
const context = await model.createContext({ sequences: SLOTS, contextSize: CONTEXT, threads: 1 });
const free = Array.from({ length: SLOTS }, () => context.getSequence());
const waiting: ((sequence: Sequence) => void)[] = [];

async function answer(asked: Asked, response: ServerResponse): Promise<void> {
  const prompt = model.tokenize(asked.messages.map(({ role, content }) => `${role}: ${said(content)}\n`).join(''));
  if (prompt.length + asked.max_tokens > CONTEXT) return tell(response, tooLong(prompt.length), 400);
  const schema = asked.response_format?.json_schema?.schema;
  const grammar = schema === undefined ? undefined : await llama.createGrammarForJsonSchema(schema);
  const stop = new AbortController();
  response.once('close', () => stop.abort(new Error('the client left')));
  const sequence = free.pop() ?? (await new Promise<Sequence>((resolve) => void waiting.push(resolve)));
  try {
    if (asked.stream) response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (part: object): void => {
      if (asked.stream) response.write(`data: ${JSON.stringify({ id: 'c', model: 'random', ...part })}\n\n`);
    };
    const before = sequence.tokenMeter.usedOutputTokens;
    let content = '';
    const onTextChunk = (piece: string): void => {
      // So few weights would be through before anybody could stop them.
      Atomics.wait(PAUSE, 0, 0, 10);
      content += piece;
      send({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] });
    };
    const how = { maxTokens: asked.max_tokens, temperature: 0.8, seed: 1, ...(grammar && { grammar }), onTextChunk };
    const completion = new LlamaCompletion({ contextSequence: sequence });
    const { metadata } = await completion.generateCompletionWithMeta(prompt, { ...how, signal: stop.signal });
    const finish_reason = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
    const completion_tokens = sequence.tokenMeter.usedOutputTokens - before;
    const total_tokens = prompt.length + completion_tokens;
    const usage = { prompt_tokens: prompt.length, completion_tokens, total_tokens };
    const message = { role: 'assistant', content };
    if (!asked.stream)
      return tell(response, { model: 'random', choices: [{ index: 0, message, finish_reason }], usage });
    send({ choices: [{ index: 0, delta: {}, finish_reason }] });
    send({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  } finally {
    await sequence.clearHistory();
    const next = waiting.shift();
    if (next) next(sequence);
    else free.push(sequence);
  }
}

function said(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function tooLong(tokens: number): object {
  const message = `the request (${tokens} tokens) exceeds the available context size (${CONTEXT} tokens)`;
  return { error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: CONTEXT } };
}

function tell(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  void text(request).then(async (body) => {
    if (request.url?.endsWith('/props')) tell(response, { default_generation_settings: { n_ctx: CONTEXT } });
    else if (request.url?.endsWith('/models')) tell(response, { data: [{ id: 'random', owned_by: 'llamacpp' }] });
    else if (!request.url?.endsWith('/chat/completions')) tell(response, {}, 404);
    else
      await answer(JSON.parse(body) as Asked, response).catch((error: Error) => {
        if (response.headersSent) response.destroy();
        else tell(response, { error: { message: error.message } }, 400);
      });
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
