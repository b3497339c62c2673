import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What an agent's process was started with, as it notes it in `asked.jsonl` of its home. */
export interface AskedAgent {
  readonly pid: number;
  readonly prompt: string;
  readonly cwd: string;
  readonly tools: readonly string[];
  readonly allowedTools: readonly string[];
  readonly settingSources: readonly string[];
  readonly maxTurns: number;
  readonly maxBudgetUsd: number;
  readonly model?: string;
  readonly resume?: string;
  readonly mcpServers?: object;
  /** Of the session that it makes. */
  readonly id: string;
  /** Everything that was said in the session before. */
  readonly before: string;
}

const TOPICS = ['Alder', 'Birch'];
const USD = 0.01;
const sessions = join(homedir(), '.claude', 'projects', process.cwd().replace(/[^a-zA-Z0-9]/g, '-'));

function list(titles: readonly string[]): string {
  return `<output>${JSON.stringify(titles.map((title) => ({ title })))}</output>`;
}

/** How each kind of prompt begins; what was said before may be above it. */
const KINDS = [
  'Write the document on',
  'Divide the question',
  'List the subtopics of',
  'This is the research tree so far',
] as const;

function answerTo(prompt: string): string {
  const at = Math.max(...KINDS.map((kind) => prompt.lastIndexOf(kind)), 0);
  const last = prompt.slice(at);
  const topic = /"([^"]*)"/.exec(last)?.[1] ?? '';
  switch (KINDS.find((kind) => last.startsWith(kind))) {
    case 'Write the document on': {
      const notes = existsSync('notes.txt') ? readFileSync('notes.txt', 'utf8').trim() : '';
      return `---\ntitle: ${topic}\nsummary: About it.\n---\n\nThe notes say of ${topic}: ${notes}\n`;
    }
    case 'Divide the question':
      return list(TOPICS);
    case 'List the subtopics of':
      return list(TOPICS.includes(topic) ? [`${topic} leaf`, `${topic} root`] : []);
    case 'This is the research tree so far':
      return `<output>\n${Array.from(last.matchAll(/^ *- \[(\d+)\] /gm), ([, number]) => number).join('\n')}\n</output>`;
    default:
      return 'The trees were looked at.';
  }
}

/** Tells whether it is to give no answer now. */
function hangs(prompt: string): boolean {
  const file = join(homedir(), 'hang');
  return existsSync(file) && prompt.includes(readFileSync(file, 'utf8'));
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function keep(id: string, said: string, usd: number): void {
  mkdirSync(sessions, { recursive: true });
  const cost = JSON.stringify({ type: 'cost-state', totalCostUSD: usd });
  writeFileSync(join(sessions, `${id}.jsonl`), `${said}${cost}\n`);
}

const asked = JSON.parse(await text(process.stdin)) as Omit<AskedAgent, 'pid' | 'before'> & { sessionId?: string };
const before = asked.resume === undefined ? '' : readFileSync(join(sessions, `${asked.resume}.jsonl`), 'utf8');
const id = asked.sessionId ?? randomUUID();
const note: AskedAgent = { ...asked, id, before, pid: process.pid };
appendFileSync(join(homedir(), 'asked.jsonl'), `${JSON.stringify(note)}\n`);

const delta = (event: object): void => say({ type: 'stream_event', event });
delta({ type: 'message_start', message: { usage: { input_tokens: 100, cache_read_input_tokens: 50 } } });
while (hangs(asked.prompt)) await new Promise((resolve) => setTimeout(resolve, 20));
const said = answerTo(asked.prompt);
const turn = JSON.stringify({ type: 'user', prompt: asked.prompt, said });
const costs = [...before.matchAll(/"totalCostUSD":([\d.]+)/g)].map(([, usd]) => Number(usd));
const usd = Math.max(0, ...costs) + USD;
keep(id, `${before}${turn}\n`, usd);
delta({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } });
const result = { subtype: 'success', session_id: id, result: said, stop_reason: 'end_turn', total_cost_usd: usd };
say({ type: 'result', ...result });
