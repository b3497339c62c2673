// An agent of the Agent Client Protocol, scripted: `node scripted-acp.ts WAY STATE`. It keeps its sessions and a log of what it
// was asked in the folder STATE.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { type AgentContext, agent, ndJsonStream, PROTOCOL_VERSION, type SessionUpdate } from '@agentclientprotocol/sdk';
import { answerTo } from './tree-answers.ts';

const [, , way = 'forks', state = ''] = process.argv;
/** `forks`: forks and reports costs; `loads`: loads; others do neither. `counts`: reports tokens alone, as Gemini CLI does. */
const forks = ['forks', 'writes', 'dear', 'works'].includes(way);
const loads = way === 'loads';
/** Dollars a call. */
const COST = 0.01;

interface Session {
  readonly cwd: string;
  readonly said: readonly string[];
  readonly usd: number;
}

const fileOf = (id: string): string => join(state, `${id}.json`);
const read = (id: string): Session => JSON.parse(readFileSync(fileOf(id), 'utf8')) as Session;
const write = (id: string, session: Session): void => writeFileSync(fileOf(id), JSON.stringify(session));
const open = (session: Session): { sessionId: string } => {
  const sessionId = randomUUID();
  write(sessionId, session);
  return { sessionId };
};

mkdirSync(state, { recursive: true });
const stopped = new Set<string>();
const app = agent({ name: 'scripted' })
  .onRequest('initialize', () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: loads, sessionCapabilities: (forks ? { fork: {} } : {}) as object },
  }))
  .onRequest('session/new', ({ params: { cwd } }) => open({ cwd, said: [], usd: 0 }))
  .onRequest('session/load', async ({ params: { sessionId }, client }) => {
    for (const text of read(sessionId).said) await say(client, sessionId, text);
    return {};
  })
  .onRequest(
    'session/fork',
    (params) => params as { readonly sessionId: string },
    ({ params: { sessionId } }) => open(read(sessionId)),
  )
  .onNotification('session/cancel', ({ params: { sessionId } }) => void stopped.add(sessionId))
  .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
    const session = read(sessionId);
    const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('');
    const usd = Math.round((session.usd + COST) * 1e6) / 1e6;
    appendFileSync(
      join(state, 'log.jsonl'),
      `${JSON.stringify({ sessionId, text, before: session.said, usd: COST })}\n`,
    );
    const tell = (update: SessionUpdate): Promise<void> => client.notify('session/update', { sessionId, update });
    await say(client, sessionId, 'Let me look. ');
    const where = { title: 'Read a file', kind: 'read' as const, locations: [{ path: 'src/a.ts', line: 7 }] };
    await tell({ sessionUpdate: 'tool_call', toolCallId: 'look', ...where });
    if (way === 'writes') await tryToWrite(client, sessionId, session.cwd);
    if (way === 'works') work(session.cwd, text, session.said.length > 0);
    const isDear = way === 'dear';
    if (way !== 'silent' && way !== 'counts')
      await tell({
        sessionUpdate: 'usage_update',
        used: 900,
        size: 9000,
        cost: { amount: isDear ? 9 : usd, currency: 'USD' },
      });
    while (isDear && !stopped.has(sessionId)) await new Promise((resolve) => setTimeout(resolve, 10));
    if (isDear) return { stopReason: 'cancelled' };
    if (existsSync(join(state, 'hang'))) await new Promise(() => setInterval(() => undefined, 60_000));
    const answer = way === 'works' ? DONE : answerTo(text);
    write(sessionId, { ...session, said: [...session.said, text, answer], usd });
    await say(client, sessionId, answer);
    const counted = { _meta: { quota: { token_count: { input_tokens: 12_000, output_tokens: 345 } } } };
    return { stopReason: 'end_turn', ...(way === 'counts' && counted) };
  });
app.connect(
  ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
  ),
);

async function say(client: AgentContext, sessionId: string, text: string): Promise<void> {
  const update: SessionUpdate = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  await client.notify('session/update', { sessionId, update });
}

/** Asks whether it may, and tries whatever the answer is. */
async function tryToWrite(client: AgentContext, sessionId: string, cwd: string): Promise<void> {
  const { outcome } = await client.request('session/request_permission', {
    sessionId,
    toolCall: { toolCallId: 'write', title: 'Write escaped.txt', kind: 'edit' },
    options: [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ],
  });
  const tried = [join(cwd, 'escaped.txt'), join(process.env['HOME'] ?? '/', 'escaped.txt'), '/var/escaped.txt'];
  const written = tried.filter((path) => {
    try {
      writeFileSync(path, 'here');
      return true;
    } catch {
      return false;
    }
  });
  appendFileSync(join(state, 'tried.jsonl'), `${JSON.stringify({ outcome, written })}\n`);
}

const DONE = JSON.stringify({
  success: true,
  summary: 'It is done.',
  artifacts: ['made.txt'],
  details: '',
  issues: [],
  next_steps: [],
});

/** Lies the first time: it says that the work is done, and has done none. */
function work(cwd: string, text: string, isAgain: boolean): void {
  if (isAgain || text.includes('What was seen when it was tried before'))
    writeFileSync(join(cwd, 'made.txt'), 'made\n');
}
