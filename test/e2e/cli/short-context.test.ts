import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countTokens } from '../../../src/core/ports/workspace-text.ts';
import { ledAnswer } from '../../support/investigation/led-investigation.ts';
import { type ProtocolServer, type Script, startProtocolServer } from '../../support/servers/protocol-server.ts';
import { ollama } from '../../support/servers/protocols/ollama.ts';
import type { Said } from '../../support/servers/protocols/protocol.ts';
import { scriptedTree } from '../../support/servers/server-tree.ts';
import { makeWorkspace, runCli } from './run-cli.ts';

const CONTEXT = 4096;
const TREE = scriptedTree({ documentWords: 400 });
const QUESTION = 'How does the patience of a search keep calls back while it waits?';

/** A small model: what does not fit beside the longest answer that is asked for is refused, as by a server that cuts nothing. */
const SMALL: typeof ollama = {
  ...ollama,
  besides: { '/api/show': { model_info: { 'general.architecture': 'tiny', 'tiny.context_length': CONTEXT } } },
};

function sizeOf({ system, turns, maxTokens }: Said): number {
  const texts = [system, ...turns.map(({ text }) => text)];
  return texts.reduce<number>((sum, text) => sum + countTokens(text) + 8, Number(maxTokens));
}

describe('a model without tools whose context is short', () => {
  let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
  let server: ProtocolServer;
  const refused: string[] = [];
  let answers = TREE.answer;
  const script: Script = (said) => {
    const { headers } = said as unknown as { headers: Record<string, string> };
    const purpose = headers['x-thought-tree-call'] ?? '';
    const node = (headers['x-thought-tree-node'] ?? '').split('/').map(decodeURIComponent).join('/');
    const size = sizeOf(said);
    if (size > CONTEXT) {
      refused.push(`${purpose} ${node}: ${size}`);
      return { does: 'error', error: 'too-long' };
    }
    const prompt = said.turns.at(-1)?.text ?? '';
    const call = { purpose, node, prompt, n: 1, attempt: 1, model: 'tiny', messages: [], maxTokens: undefined };
    const answer = answers(call);
    const counts = { fresh: size - Number(said.maxTokens), cached: 0, written: 0, completion: countTokens(answer) };
    return { does: 'answer', pieces: [answer], counts };
  };
  before(async () => {
    workspace = await makeWorkspace();
    server = await startProtocolServer(SMALL, script);
  });
  beforeEach(() => void refused.splice(0));
  after(async () => {
    await server.close();
    await workspace.remove();
  });

  it('ends a whole search with its documents and its report, and is never asked for more than it holds', async () => {
    const model = ['--model', 'ollama/tiny', '--base-url', server.baseUrl, '--size', 'small'];
    const { code, stdout, stderr } = await runCli(['start', QUESTION, '--title', 'Waits', ...model], {
      cwd: workspace.folder,
    });
    assert.deepEqual(refused, []);
    assert.equal(code, 0, `${stderr}${stdout}`);
    assert.ok(server.seen.every(({ raw }) => !raw.includes('"tools"')));
    assert.ok(
      server.seen.some(({ system }) => system.includes('src/patience.ts')),
      'it is told what the workspace is',
    );
    const folder = join(workspace.folder, 'thought-trees/waits');
    const files = await readdir(folder, { recursive: true });
    assert.ok(files.filter((file) => file.endsWith('document.md')).length >= 18, files.join('\n'));
    assert.ok(
      files.some((file) => file.split('/').length === 4),
      'three levels of it',
    );
    assert.match(await readFile(join(folder, 'report.md'), 'utf8'), /In short: everything the question asks for/);
  });

  it('is asked for no more by an investigation either, however much its leads find', async () => {
    const sentence = `It waits for the patience of the search, ${'and for whatever else there is, '.repeat(9)}at last.`;
    const findings = (id: string): string[] => Array.from({ length: 8 }, (_, n) => `${id}.${n}: ${sentence}`);
    const leads = (round: number): string[] => [`First of round ${round}`, `Second of round ${round}`];
    answers = ({ purpose, prompt }) => {
      const request = { purpose, prompt, turns: [], node: '', system: '', data: { question: '' }, maxOutputTokens: 0 };
      return ledAnswer(request, { findings, leads });
    };
    const model = ['--model', 'ollama/tiny', '--base-url', server.baseUrl, '--kind', 'investigation'];
    const { code, stdout, stderr } = await runCli(['start', QUESTION, '--title', 'Leads', ...model], {
      cwd: workspace.folder,
    });
    assert.deepEqual(refused, []);
    assert.equal(code, 0, `${stderr}${stdout}`);
    const report = await readFile(join(workspace.folder, 'thought-trees/leads/report.md'), 'utf8');
    assert.match(report, /\n\nThe verdict rests on /);
    assert.match(report, /## Confirmed\n\n- R1\.A\.0: It waits/);
  });
});
