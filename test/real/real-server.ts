import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { builtPart, nameOfPart, type Part } from './build.ts';

const IN_PROCESS = fileURLToPath(new URL('in-process-server.ts', import.meta.url));
/** Tokens of an answer: no request asks the server for more. */
const LONGEST = 100;

/** One request that passed, with the answer to it. */
export interface Exchange {
  readonly path: string;
  readonly purpose: string;
  /** Slug path. */
  readonly node: string;
  /** As it was sent on. */
  readonly body: Record<string, unknown>;
  status: number;
  answer: string;
  /** The answer came to its end. */
  isWhole: boolean;
  /** The client left before that. */
  isLeft: boolean;
}

/** Tokens by the server's own count. */
export interface Counted {
  readonly prompt: number;
  readonly completion: number;
}

/** A server that really makes words, behind a proxy that sees all that passes. */
export interface RealServer {
  /** What it is, for people. */
  readonly name: string;
  readonly isOllama: boolean;
  /** `provider/model`. */
  readonly model: string;
  /** Of the proxy: what a search is given. */
  readonly baseUrl: string;
  /** Questions for an answer, in order of arrival. */
  readonly log: readonly Exchange[];
  /** The most that were being answered at the same time. */
  readonly peak: number;
  /** Resolves as soon as the condition holds. */
  until(condition: () => boolean): Promise<void>;
  /** Asks the server itself. */
  ask(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The servers there can be, in the order in which they are run: an address, or a part that was built. */
export const SERVERS = ['THOUGHT_TREE_REAL', 'llama-server', 'ollama', 'node-llama-cpp'] as const;

/**
 * Starts a server.
 * @throws Error saying why it is not here
 */
export async function startRealServer(which: (typeof SERVERS)[number]): Promise<RealServer> {
  if (which !== 'THOUGHT_TREE_REAL') return await proxied(await STARTERS[which]());
  const address = process.env['THOUGHT_TREE_REAL']?.replace(/\/+$/, '') ?? '';
  if (address === '') throw new Error('THOUGHT_TREE_REAL names no address.');
  const isOllama = !address.endsWith('/v1');
  const url = address.replace(/\/v1$/, '');
  const said = (await jsonAt(`${url}${isOllama ? '/api/tags' : '/v1/models'}`)) as Listed;
  const model = said.data?.[0]?.id ?? said.models?.[0]?.name;
  if (model === undefined) throw new Error(`${address} lists no model.`);
  return await proxied({ name: address, url, isOllama, model, stop: async () => undefined });
}

interface Listed {
  readonly data?: readonly { readonly id: string }[];
  readonly models?: readonly { readonly name: string }[];
}

interface Started {
  readonly name: string;
  readonly url: string;
  readonly isOllama: boolean;
  readonly model: string;
  stop(): Promise<unknown>;
}

const STARTERS = {
  async 'llama-server'(): Promise<Started> {
    const { program, weights } = needed('llama-server');
    // One thread: several wait for each other where other tests have the cores.
    const slots = ['-t', '1', '-c', '16384', '-np', '2', '--metrics', '--slots', '--no-webui', '--alias', 'tiny'];
    const child = start(program, ['-m', weights, '--host', '127.0.0.1', '--port', '0', ...slots], {});
    const url = await child.says(/listening on (http:\/\/\S+)/);
    await answers(`${url}/health`, child.process);
    return { name: nameOfPart('llama-server'), url, isOllama: false, model: 'tiny', stop: child.stop };
  },
  async ollama(): Promise<Started> {
    const { program, weights } = needed('ollama');
    const home = mkdtempSync(join(tmpdir(), 'thought-tree-real-'));
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = { HOME: home, OLLAMA_HOST: url, OLLAMA_MODELS: join(home, 'models'), OLLAMA_NUM_PARALLEL: '2' };
    const child = start(program, ['serve'], env);
    const stop = async (): Promise<void> => {
      await child.stop();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    };
    try {
      await answers(`${url}/api/version`, child.process);
      writeFileSync(join(home, 'Modelfile'), `FROM ${weights}\nPARAMETER num_thread 1\n`);
      const how = { env: { ...process.env, ...env }, stdio: 'pipe' } as const;
      execFileSync(program, ['create', 'tiny', '-f', join(home, 'Modelfile')], how);
    } catch (error) {
      await stop();
      throw error;
    }
    return { name: nameOfPart('ollama'), url, isOllama: true, model: 'tiny', stop };
  },
  async 'node-llama-cpp'(): Promise<Started> {
    const home = builtPart('node-llama-cpp');
    if (home === undefined) throw notBuilt('node-llama-cpp');
    const child = start(process.execPath, [IN_PROCESS, home], {});
    const url = await child.says(/listening on (http:\/\/\S+)/);
    const name = `${nameOfPart('node-llama-cpp')} in a process of Node, with random weights`;
    return { name, url, isOllama: false, model: 'random', stop: child.stop };
  },
};

/** @throws Error naming what was not built */
function needed(part: 'llama-server' | 'ollama'): { readonly program: string; readonly weights: string } {
  const [home, weights] = [builtPart(part), builtPart('weights')];
  if (home === undefined || weights === undefined) throw notBuilt(home === undefined ? part : 'weights');
  return { program: join(home, part), weights: join(weights, 'tiny.gguf') };
}

function notBuilt(part: Part): Error {
  return new Error(`${nameOfPart(part)} was not built: npm run test:real builds it.`);
}

function start(program: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').catch(() => undefined);
  let said = '';
  const looking = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-100_000);
      for (const look of looking) look();
    });
  return {
    process: child,
    says: (what: RegExp): Promise<string> =>
      new Promise((resolve, reject) => {
        looking.add(() => {
          const [, found] = what.exec(said) ?? [];
          if (found !== undefined) resolve(found);
        });
        void ended.then(() => reject(new Error(`${program} ended: ${said.slice(-500)}`)));
      }),
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
      process.removeListener('exit', kill);
    },
  };
}

/** Resolves once a server answers well. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`The server of ${url} ended.`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function jsonAt(url: string): Promise<unknown> {
  return await (await fetch(url)).json();
}

async function proxied({ name, url, isOllama, model, stop }: Started): Promise<RealServer> {
  const log: Exchange[] = [];
  const looking = new Set<() => void>();
  const changed = (): void => {
    for (const look of [...looking]) look();
  };
  let [open, peak] = [0, 0];
  const proxy = createServer((asked, response) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const path = asked.url ?? '';
      const isQuestion = /\/chat(?:\/completions)?$/.test(path);
      const body = isQuestion ? shortened(JSON.parse(raw)) : {};
      const purpose = String(asked.headers['x-thought-tree-call'] ?? '');
      const node = String(asked.headers['x-thought-tree-node'] ?? '');
      const seen: Exchange = { path, purpose, node, body, status: 0, answer: '', isWhole: false, isLeft: false };
      if (isQuestion) {
        log.push(seen);
        peak = Math.max(peak, ++open);
        response.once('close', () => open--);
      }
      const sent = isQuestion ? JSON.stringify(body) : raw;
      const { host: _host, 'content-length': _length, 'accept-encoding': _packed, ...headers } = asked.headers;
      const length = sent === '' ? {} : { 'content-length': Buffer.byteLength(sent) };
      const onward = send(`${url}${path}`, { method: asked.method, headers: { ...headers, ...length } }, (answer) => {
        seen.status = answer.statusCode ?? 0;
        response.writeHead(seen.status, answer.headers);
        answer.setEncoding('utf8').on('data', (text: string) => {
          seen.answer += text;
          response.write(text);
          changed();
        });
        answer.on('end', () => {
          seen.isWhole = true;
          response.end();
          changed();
        });
        answer.on('error', () => response.destroy());
      });
      onward.on('error', () => response.destroy());
      response.once('close', () => {
        seen.isLeft = !response.writableFinished;
        if (seen.isLeft) onward.destroy();
        changed();
      });
      onward.end(sent);
      changed();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    name,
    isOllama,
    model: `${isOllama ? 'ollama' : 'openai-compatible'}/${model}`,
    baseUrl: isOllama ? own : `${own}/v1`,
    log,
    get peak() {
      return peak;
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (condition() && looking.delete(look)) resolve();
        };
        looking.add(look);
        look();
      }),
    ask: (path) => jsonAt(`${url}${path}`),
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      await stop();
    },
  };
}

/** Returns the body of a request that asks for at most so many tokens. */
function shortened(body: Record<string, unknown>): Record<string, unknown> {
  const options = body['options'] as Record<string, unknown> | undefined;
  const atMost = (tokens: unknown): number => Math.min(LONGEST, Number(tokens ?? LONGEST));
  if (options) return { ...body, options: { ...options, num_predict: atMost(options['num_predict']) } };
  return { ...body, max_tokens: atMost(body['max_tokens']) };
}

/** Returns the tokens that an answer says it took; undefined where it says nothing of them. */
export function countedIn({ answer }: Exchange): Counted | undefined {
  const lines = answer.split('\n').map((line) => line.replace(/^data: /, ''));
  for (const line of lines.filter((each) => each.startsWith('{')).reverse()) {
    const { usage, prompt_eval_count: prompt, eval_count: completion } = JSON.parse(line);
    if (usage) return { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
    if (completion !== undefined) return { prompt: prompt ?? 0, completion };
  }
  return undefined;
}
