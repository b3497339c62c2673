import type { Model, ModelRequest, Turn } from '../../src/core/ports/model.ts';
import { simulatedModel } from '../../test/support/models/simulated-model.ts';
import { countTokens } from '../../test/support/servers/server-tokens.ts';
import type { ScriptedTree } from '../../test/support/servers/server-tree.ts';
import { fastClock } from '../../test/support/virtual-clock.ts';

/** Lines that it reads around a match. */
const LINES = 40;

/** A model that looks its topic up before it writes: one search for a word, then the lines around one match. */
export interface ReadingModel extends Model {
  readonly log: { prompt: number; completion: number }[];
}

export function readingModel(tree: ScriptedTree): ReadingModel {
  const words = simulatedModel({ tree, clock: fastClock(1000) });
  const log: ReadingModel['log'] = [];
  return {
    name: 'simulated/reader',
    label: 'Simulated',
    free: true,
    tools: true,
    log,
    async generate(request, call) {
      const plain = asWords(request);
      const use = nextUse(request);
      const { text } = use ? { text: '' } : await words.generate(plain, call);
      const sent = [plain.system, ...plain.turns.map((turn) => turn.text), plain.prompt].join('\n');
      const completion = countTokens(use ? JSON.stringify(use) : text);
      const usage = {
        prompt: countTokens(sent) + countTokens(JSON.stringify(request.tools ?? [])),
        cached: 0,
        completion,
      };
      log.push(usage);
      return use ? { text, finish: 'tools', toolCalls: [use], usage } : { text, finish: 'stop', usage };
    },
  };
}

/** Uses and results as words, so that they are counted. */
function asWords(request: ModelRequest): ModelRequest {
  const plain = ({ role, text, toolCalls, toolResults }: Omit<Turn, 'session'>): Turn => {
    const more = [toolCalls && JSON.stringify(toolCalls), ...(toolResults ?? []).map((result) => result.text)];
    return { role, text: [text, ...more].filter((part) => part).join('\n') };
  };
  const { toolResults, prompt, turns } = request;
  const last = plain({ role: 'user', text: prompt, ...(toolResults && { toolResults }) });
  return { ...request, turns: turns.map(plain), prompt: last.text };
}

function nextUse({
  purpose,
  data,
  tools,
  toolResults,
}: ModelRequest): { id: string; name: string; input: object } | undefined {
  const { rule } = data;
  if (purpose !== 'document' || !tools || rule?.by !== 'quotations') return undefined;
  const titles = rule.lineage.map(({ title }) => title);
  if (!toolResults) {
    const text = (titles[0] ?? '').split(' ')[0]?.toLowerCase().replace(/s$/, '') ?? '';
    return { id: 'a', name: 'search', input: { pattern: text } };
  }
  const [result] = toolResults;
  if (result?.name !== 'search') return undefined;
  const hits = hitsIn(result.text);
  const [path, line] = hits[(titles.at(-1)?.length ?? 0) % Math.max(1, hits.length)] ?? [];
  const from = Math.max(1, Number(line) - LINES / 2);
  return path === undefined ? undefined : { id: 'b', name: 'read', input: { path, from, to: from + LINES - 1 } };
}

/** Returns the lines that a search found: a line of each file's own, then its lines with their numbers. */
function hitsIn(text: string): [path: string, line: string][] {
  let path = '';
  return text.split('\n').flatMap((row): [string, string][] => {
    const [, line] = /^(\d+)\t/.exec(row) ?? [];
    if (line === undefined) path = row.split(' ')[0] ?? '';
    return line === undefined ? [] : [[path, line]];
  });
}
