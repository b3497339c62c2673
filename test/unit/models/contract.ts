import { deepEqual, equal, ok } from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { Model, ModelRequest } from '../../../src/core/ports/model.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { effort } from '../../support/effort.ts';
import { ONE_CALL } from '../../support/models/one-call.ts';
import { type ProtocolServer, type Script, startProtocolServer } from '../../support/servers/protocol-server.ts';
import type { ErrorKind, Protocol } from '../../support/servers/protocols/protocol.ts';
import { modelRequest } from './model-request.ts';

/** With signs that are written otherwise in an address. */
const KEY = 'sk-Zq7+xT/9vLm=Wc3RkPd8';
const never = new AbortController().signal;
const CALL = { ...ONE_CALL, signal: never };
const COUNTS = { fresh: 10, cached: 400, written: 25, completion: 7 };
const PARENT = [
  { role: 'user', text: 'Write about bundling: "quotes", \\ and 构建.' },
  { role: 'assistant', text: '  A document.\n\n' },
  { role: 'user', text: 'List its children.' },
  { role: 'assistant', text: '<output>[]</output>' },
] as const;

/** One model to be tested, behind a server that speaks its real protocol. */
export interface Subject {
  readonly protocol: Protocol;
  /** What advice on a refused key has to name, where the server is not the provider's own. */
  readonly keyVariable: string;
  /** Whether the protocol has a way to say that the model would not answer. */
  readonly refuses: boolean;
  open(options: { baseUrl: string; apiKey?: string; timeoutMs?: number }): Promise<Model>;
}

/** What is true of every model behind HTTP. */
export function describeModel(name: string, subject: Subject): void {
  describe(`the contract: ${name}`, () => {
    const servers: ProtocolServer[] = [];
    afterEach(async () => {
      for (const server of servers.splice(0)) await server.close();
    });

    async function open(script: Script, options: { timeoutMs?: number; keyless?: boolean } = {}) {
      const server = await startProtocolServer(subject.protocol, script);
      servers.push(server);
      const { timeoutMs, keyless } = options;
      const model = await subject.open({
        baseUrl: server.baseUrl,
        ...(keyless ? {} : { apiKey: KEY }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      return { server, model };
    }

    const fails = async (script: Script, expected: Expected, request?: Partial<ModelRequest>) => {
      const { server, model } = await open(script);
      const error = await failureOf(model, request);
      deepEqual([error.reason, error.details.charged], [expected.reason, expected.charged], error.message);
      ok((expected.words ?? /./).test(error.message), error.message);
      equal(server.seen.length, 1, 'it must not try again by itself');
      return error;
    };

    describeRequests(open);
    describeAnswers(subject, open);
    describeStops(open);
    describeFailures(subject, open, fails);
  });
}

type Open = (
  script: Script,
  options?: { timeoutMs?: number; keyless?: boolean },
) => Promise<{ server: ProtocolServer; model: Model }>;

function describeRequests(open: Open): void {
  const answering: Script = () => ({ does: 'answer', pieces: ['fine'] });

  it('sends system, turns and prompt in order, the limit, the key, the purpose and the node', async () => {
    const { server, model } = await open(answering);
    await model.generate(modelRequest({ turns: PARENT, prompt: 'third', node: '构建/why' }), {
      ...ONE_CALL,
      signal: never,
    });
    const [request] = server.seen;
    ok(request);
    equal(request.model, 'tiny');
    equal(request.system, 'You answer.');
    deepEqual(request.turns, [...PARENT, { role: 'user', text: 'third' }]);
    equal(request.maxTokens, 4000);
    equal(request.key, KEY);
    equal(request.headers['x-thought-tree-call'], 'document');
    equal(request.headers['x-thought-tree-node'], `${encodeURIComponent('构建')}/why`);
  });

  it('sends no key where there is none', async () => {
    const { server, model } = await open(answering, { keyless: true });
    await model.generate(modelRequest({ system: '' }), CALL);
    equal(server.seen[0]?.key || undefined, undefined);
    equal(server.seen[0]?.system, '');
  });

  it("begins a child's request with its parent's, byte for byte", async () => {
    const { server, model } = await open(answering);
    const last = PARENT.slice(0, 2);
    await model.generate(modelRequest({ turns: last, shared: 0, prompt: PARENT[2].text }), {
      ...ONE_CALL,
      signal: never,
    });
    await model.generate(modelRequest({ turns: PARENT, shared: 4, prompt: 'And this?' }), {
      ...ONE_CALL,
      signal: never,
    });
    const [parent, child] = server.seen.map(({ bytes }) => bytes);
    ok(parent && child?.startsWith(parent.slice(0, -1)), `${parent}\n${child}`);
    for (const { raw, bytes } of server.seen) ok(raw.replaceAll(MARK, '').includes(bytes), 'these bytes were not sent');
  });

  it('keeps forks at once apart', async () => {
    const gate = Promise.withResolvers<void>();
    const { server, model } = await open(({ turns }, n) => {
      if (n === 3) gate.resolve(); // nobody is answered before all have asked
      return { does: 'answer', pieces: ['To ', turns.at(-1)?.text ?? ''], gate: gate.promise };
    });
    const forks = ['alpha', 'bravo', 'charlie', 'delta'];
    const answers = await Promise.all(
      forks.map((prompt) => model.generate(modelRequest({ turns: PARENT, shared: 4, prompt }), CALL)),
    );
    deepEqual(
      answers.map(({ text }) => text),
      forks.map((prompt) => `To ${prompt}`),
    );
    for (const { turns } of server.seen) deepEqual(turns.slice(0, -1), PARENT);
    deepEqual(server.seen.map(({ turns }) => turns.at(-1)?.text).sort(), forks);
  });
}

/** What Anthropic's cache leaves out of its comparison. */
const MARK = ',"cache_control":{"type":"ephemeral"}';

function describeAnswers({ protocol, refuses }: Subject, open: Open): void {
  it('tells the pieces as they come', async () => {
    const gate = Promise.withResolvers<void>();
    const pieces: string[] = [];
    const sent = ['before ', 'and after: 好'];
    const { model } = await open(() => ({ does: 'answer', pieces: sent, gate: gate.promise }));
    const onText = (piece: string) => {
      pieces.push(piece);
      gate.resolve(); // opened by the first piece alone
    };
    const { text } = await model.generate(modelRequest(), { ...ONE_CALL, signal: never, onText });
    deepEqual(pieces, sent);
    equal(text, sent.join(''));
  });

  for (const whole of [false, true]) {
    const how = whole ? 'not streaming' : 'streaming';
    it(`says what was used, ${how}`, async () => {
      const { model } = await open(() => ({ does: 'answer', pieces: ['An ', 'answer.'], counts: COUNTS, whole }));
      const answer = await model.generate(modelRequest(), CALL);
      deepEqual(answer, { text: 'An answer.', finish: 'stop', usage: protocol.usage(COUNTS) });
    });

    it(`says when the answer was cut by the limit, ${how}`, async () => {
      const { model } = await open(() => ({ does: 'answer', pieces: ['An ans'], finish: 'length', whole }));
      const { text, finish } = await model.generate(modelRequest(), CALL);
      deepEqual([text, finish], ['An ans', 'length']);
    });

    if (refuses)
      it(`says when the model would not answer, ${how}`, async () => {
        const { model } = await open(() => ({ does: 'answer', pieces: [''], finish: 'refused', whole }));
        equal((await model.generate(modelRequest(), CALL)).finish, 'refused');
      });
  }

  it('keeps the key out of the text, whatever the server writes', async () => {
    const { model } = await open(() => ({ does: 'answer', pieces: ['Your key is ', KEY, '.'] }));
    const answer = await model.generate(modelRequest(), CALL);
    hidesKey(answer);
    hidesKey(model);
    equal(answer.text, 'Your key is [key].');
  });
}

function describeStops(open: Open): void {
  for (const does of ['stall', 'hang'] as const)
    it(`is stopped in the middle, and closes the connection (${does})`, async () => {
      const stop = new AbortController();
      const { server, model } = await open(() => {
        if (does === 'hang') stop.abort();
        return { does };
      });
      const error = await failureOf(model, {}, { ...ONE_CALL, signal: stop.signal, onText: () => stop.abort() });
      deepEqual([error.reason, error.details.charged], ['aborted', true]);
      await server.until(() => server.seen[0]?.closedByClient === true);
      const again = await failureOf(model, {}, { ...ONE_CALL, signal: stop.signal });
      deepEqual([again.reason, again.details.charged], ['aborted', false]);
      equal(server.seen.length, 1);
    });

  it('gives up a server that lets it wait', async () => {
    const { server, model } = await open(() => ({ does: 'stall' }), { timeoutMs: 150 });
    const error = await failureOf(model);
    deepEqual([error.reason, error.details.charged], ['timed-out', true]);
    ok(/--timeout/.test(error.message), error.message);
    await server.until(() => server.seen[0]?.closedByClient === true);
  });

  it('stops an answer that does not end', async () => {
    const pieces = Array.from({ length: 400 }, () => 'x'.repeat(64 * 1024));
    const { server, model } = await open(() => ({ does: 'answer', pieces }));
    const error = await failureOf(model);
    deepEqual([error.reason, error.details.charged], ['bad-answer', true], error.message);
    await server.until(() => server.seen[0]?.closedByClient === true);
  });
}

interface Expected {
  readonly reason: string;
  readonly charged: boolean;
  readonly words?: RegExp;
}
type Fails = (script: Script, expected: Expected, request?: Partial<ModelRequest>) => Promise<ThoughtTreeError>;

function describeFailures(subject: Subject, open: Open, fails: Fails): void {
  const { protocol, keyVariable } = subject;
  const refusals: [error: ErrorKind, reason: string, words: RegExp][] = [
    ['rate-limit', 'rate-limited', /concurrency/],
    ['crash', 'server-error', /HTTP 500.*Try again later/],
    ['overloaded', 'server-error', /Try again later/],
    ['bad-key', 'key-refused', new RegExp(`does not accept the key.*Set ${keyVariable}`)],
    ['no-quota', 'quota-exceeded', /Add credit/],
    ['no-model', 'unknown-model', /tiny at http:\/\/127.*no such model/],
    ['too-long', 'bad-request', /too long for this model/],
  ];
  for (const [error, reason, words] of refusals)
    it(`${error}: ${reason}`, () => fails(() => ({ does: 'error', error }), { reason, charged: false, words }));

  it('waits as long as the server asks for', async () => {
    const script: Script = () => ({ does: 'error', error: 'rate-limit', headers: { 'retry-after': '17' } });
    const error = await fails(script, { reason: 'rate-limited', charged: false });
    equal(error.details.retryAfterMs, 17_000);
  });

  const broken = [
    ['the connection breaks', 'cut', 'cut-off'],
    ['the stream just ends', 'end', 'cut-off'],
    ['an event that cannot be read', 'malformed', 'cut-off'],
    ['an error in the middle', 'overloaded', 'server-error'],
    ...(protocol.within['rate-limit'] ? [['a rate limit in the middle', 'rate-limit', 'rate-limited'] as const] : []),
  ] as const;
  for (const [what, does, reason] of broken)
    it(`${what}: ${reason}`, () => fails(() => ({ does }), { reason, charged: true }));

  it('tells of an error that comes first of all', async () => {
    const script: Script = () => ({ does: 'send', type: protocol.type, body: protocol.within.overloaded });
    await fails(script, { reason: 'server-error', charged: false, words: /overloaded|encountered/i });
  });

  const nonsense: [name: string, type: string, body: string, reason: string][] = [
    ['a web page', 'text/html', '<html><body>Please log in', 'bad-answer'],
    ['a picture', 'image/png', 'x', 'bad-answer'],
    ['JSON of another kind', 'application/json', '{"hello": 1}', 'server-error'],
    ['JSON that is cut', 'application/json', '{"choices": [', 'server-error'],
    ['nothing', protocol.type, '', 'cut-off'],
    ['bytes without end', protocol.type, 'x'.repeat(33 * 1024 * 1024), 'bad-answer'],
  ];
  for (const [what, type, body, reason] of nonsense)
    it(`${what}: not an answer`, async () => {
      const error = await fails(() => ({ does: 'send', type, body }), { reason, charged: true });
      ok(error.message.length <= 600 && !/[<\n]/.test(error.message), error.message);
    });

  it('follows no redirect to another host', async () => {
    const other = await startProtocolServer(protocol, () => ({ does: 'answer', pieces: ['Thank you.'] }));
    try {
      const location = (key: string) => `${other.baseUrl}/${encodeURIComponent(key)}?key=${key}`;
      const expected = { reason: 'redirected', charged: false, words: /redirects to .*base URL/ };
      await fails(() => ({ does: 'redirect', location }), expected);
      deepEqual([other.seen.length, other.besides.length], [0, 0]);
    } finally {
      await other.close();
    }
  });

  it('tells of a server that is not there', async () => {
    const { server, model } = await open(() => ({ does: 'hang' }));
    await server.close();
    const error = await failureOf(model);
    deepEqual([error.reason, error.details.charged], ['unreachable', false]);
    ok(/ECONNREFUSED.*Check that the server runs/.test(error.message), error.message);
  });

  it('answers or fails in good order, whatever the server sends', async () => {
    const { piece, begin, end } = protocol;
    const answer = { model: 'tiny', pieces: ['abc'], finish: 'stop', counts: COUNTS } as const;
    const good = begin(answer) + piece(answer, 'abc', 0) + end(answer);
    let body = '';
    const { model } = await open(() => ({ does: 'send', type: protocol.type, body }));
    const place = fc.nat(good.length);
    const junk = fc.oneof(
      fc.string(),
      fc.constantFrom('null', '{}', '[]', '"', '-1', '\n\ndata: {}\n\n', '{"error":{}}'),
    );
    await fc.assert(
      fc.asyncProperty(place, place, junk, async (from, to, text) => {
        body = good.slice(0, from) + text + good.slice(Math.max(from, to));
        const outcome = await model.generate(modelRequest(), CALL).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          ok(outcome instanceof ThoughtTreeError, inspect(outcome));
          ok(outcome.reason !== 'internal', inspect(outcome));
        } else ok(typeof (outcome as { text: unknown }).text === 'string');
      }),
      { numRuns: effort(60) },
    );
  });
}

/** The error a request ends with, checked for what none may hold. */
async function failureOf(
  model: Model,
  request: Partial<ModelRequest> = {},
  call: Parameters<Model['generate']>[1] = CALL,
): Promise<ThoughtTreeError> {
  const error = await model.generate(modelRequest(request), call).then(
    ({ text }) => new Error(`It answered: ${text.slice(0, 100)}`),
    (thrown: unknown) => thrown,
  );
  ok(error instanceof ThoughtTreeError, inspect(error));
  hidesKey(error);
  return error;
}

/** No eight characters of the key in a row may be seen, also not as an address writes them. */
function hidesKey(value: unknown): void {
  const shown = inspect(value, { depth: 12, showHidden: true, getters: true }) + JSON.stringify(value);
  for (const form of [KEY, encodeURIComponent(KEY)])
    for (let at = 0; at + 8 <= form.length; at++) ok(!shown.includes(form.slice(at, at + 8)), shown);
}
