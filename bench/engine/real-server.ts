import { startScriptedServer } from '../../test/support/servers/scripted-server.ts';
import { scriptedTree } from '../../test/support/servers/server-tree.ts';
import { ANSWER_MS, FANOUTS_REAL, type Served } from './real.ts';

// A fast model's server in a process of its own, so that its processor time is nobody else's. Says its address, and, as
// soon as its input ends, what it served.

const NAMES = ['Amber', 'Binary', 'Cedar', 'Delta', 'Ember', 'Fallow', 'Granite', 'Harbor'] as const;

const tree = scriptedTree({
  fanout: (_path, depth) => FANOUTS_REAL[depth] ?? 0,
  title: (path, index) => `${NAMES[(path.length + index) % NAMES.length]} ${index + 1}`,
  documentWords: 340,
});
const latency = (purpose: string): number => ANSWER_MS[purpose] ?? 0;
const server = await startScriptedServer({ answer: tree.answer, latencyMs: ({ purpose }) => latency(purpose) });
process.stdout.write(`${server.baseUrl}\n`);
process.stdin.resume();
process.stdin.once('end', () => {
  const { log } = server;
  const isPick = ({ purpose }: (typeof log)[number]): boolean => purpose === 'pick';
  const promptTokens = log.reduce((sum, { promptTokens: tokens }) => sum + tokens, 0);
  const served: Served = {
    calls: log.length,
    workMs: log.filter((call) => !isPick(call)).reduce((sum, { purpose }) => sum + latency(purpose), 0),
    promptTokens,
    pickShare: log.filter(isPick).reduce((sum, { promptTokens: tokens }) => sum + tokens, 0) / promptTokens,
  };
  process.stdout.write(`${JSON.stringify(served)}\n`);
  void server.close();
});
