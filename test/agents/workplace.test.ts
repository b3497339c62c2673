import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ModelAnswer, Workplace } from '../../src/core/ports/model.ts';
import type { Toolbox } from '../../src/core/ports/tool.ts';
import type { AgentOptions } from '../../src/models/agents/agent.ts';
import { ONE_CALL } from '../support/models/one-call.ts';
import { modelRequest } from '../unit/models/model-request.ts';
import type { MessagesCall, MessagesReply } from './messages-server.ts';
import { type ClaudeMachine, claudeMachine } from './use-claude.ts';

describe('Claude Code in a workplace', () => {
  let machine: ClaudeMachine;
  let script: (call: MessagesCall) => MessagesReply;
  let checkout: string;

  before(async () => {
    machine = await claudeMachine((call) => script(call));
    checkout = join(machine.workspace, '..', 'checkout');
    await mkdir(join(checkout, '.git', 'hooks'), { recursive: true });
    await writeFile(join(checkout, 'a.txt'), 'first\n');
    await symlink(join(machine.workspace, 'notes.txt'), join(checkout, 'link.txt'));
    // What came with the folder, or what the person set for themselves, allows nothing more here.
    const allow = { permissions: { allow: ['Edit', 'Write', 'Bash'], defaultMode: 'acceptEdits' } };
    for (const folder of [join(checkout, '.claude'), String(machine.env['CLAUDE_CONFIG_DIR'])]) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'settings.json'), JSON.stringify(allow));
    }
  });
  after(() => machine.close());

  /** Asks an agent that uses these tools one after the other; what it was told of each. */
  async function told(
    rights: Workplace['rights'],
    uses: readonly (readonly [tool: string, input: object])[],
    { options, toolbox }: { options?: AgentOptions; toolbox?: Toolbox } = {},
  ): Promise<{ results: string[]; tools: readonly string[]; answer: ModelAnswer }> {
    const left = uses.map(([tool, input]): MessagesReply => ({ tool, input }));
    const from = machine.server.log.length;
    script = () => left.shift() ?? { text: 'Done.' };
    const model = await machine.open(options);
    const request = modelRequest({ workplace: { folder: checkout, rights }, prompt: 'Work.' });
    const call = { ...ONE_CALL, question: `q.${from}`, signal: new AbortController().signal };
    const answer = await model.generate(request, { ...call, ...(toolbox && { toolbox }) });
    const calls = machine.server.log.slice(from);
    const [first] = calls;
    const blocks = (calls.at(-1)?.messages ?? []).flatMap(({ content }) =>
      typeof content === 'string' ? [] : content,
    );
    const results = blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => JSON.stringify(content));
    // What stands for tools that are looked for first, of which there are none here.
    const tools = (first?.tools ?? []).filter((name) => name !== 'DeferredToolPlaceholder');
    return { results, tools, answer };
  }

  it('changes files of it, and none outside, before anything happens', async () => {
    const { workspace, secret } = machine;
    const outside = join(workspace, 'fresh.txt');
    const options = { allowedTools: ['Edit', 'Write'] };
    const { results, answer, tools } = await told(
      'write',
      [
        ['Write', { file_path: join(checkout, 'src', 'b.txt'), content: 'second\n' }],
        ['Read', { file_path: join(checkout, 'a.txt') }],
        ['Edit', { file_path: join(checkout, 'a.txt'), old_string: 'first', new_string: 'changed' }],
        ['Write', { file_path: outside, content: 'mine' }],
        ['Write', { file_path: join(checkout, '.git', 'hooks', 'pre-commit'), content: '#!/bin/sh\n' }],
        ['Read', { file_path: join(checkout, 'link.txt') }],
        ['Edit', { file_path: join(checkout, 'link.txt'), old_string: 'nectarine', new_string: 'mine' }],
        ['Read', { file_path: secret }],
        ['Bash', { command: `echo mine > ${outside}` }],
      ],
      { options },
    );
    assert.equal(answer.text, 'Done.');
    assert.deepEqual([...tools].sort(), ['Edit', 'Glob', 'Grep', 'Read', 'Write']);
    assert.equal(await readFile(join(checkout, 'src', 'b.txt'), 'utf8'), 'second\n');
    assert.equal(await readFile(join(checkout, 'a.txt'), 'utf8'), 'changed\n');
    assert.match(await readFile(join(workspace, 'notes.txt'), 'utf8'), /nectarine/);
    assert.equal(existsSync(outside), false);
    assert.equal(existsSync(join(checkout, '.git', 'hooks', 'pre-commit')), false);
    for (const refused of [3, 4, 6, 7, 8])
      assert.match(results[refused] ?? '', /outside|Nobody|No such tool|denied|not been read/i);
    assert.doesNotMatch(results.join(), /oleander/);
  });

  it('only reads where it may only read, whatever the person allowed elsewhere', async () => {
    const options = { allowedTools: ['Edit', 'Write', 'Bash'] };
    const { tools } = await told(
      'read',
      [
        ['Write', { file_path: join(checkout, 'c.txt'), content: 'third\n' }],
        ['Bash', { command: 'touch c.txt' }],
      ],
      { options },
    );
    assert.deepEqual([...tools].sort(), ['Glob', 'Grep', 'Read']);
    assert.equal(existsSync(join(checkout, 'c.txt')), false);
  });

  it('runs commands with our tool, and is told what it says', async () => {
    const used: unknown[] = [];
    const toolbox: Toolbox = {
      tools: [
        {
          name: 'run_command',
          description: 'Runs a command line.',
          parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
        },
      ],
      async use({ name, input }) {
        used.push([name, input]);
        return { text: 'Exit code 1.\n1 failing', isRefused: false, what: '' };
      },
    };
    const uses = [['mcp__checkout__run_command', { command: 'npm test' }]] as const;
    const { results, tools } = await told('write', uses, { toolbox });
    assert.ok(tools.includes('mcp__checkout__run_command'), tools.join());
    assert.deepEqual(used, [['run_command', { command: 'npm test' }]]);
    assert.match(results[0] ?? '', /1 failing/);
  });

  /** Waits until some session of this machine has it. */
  async function sessionWith(what: RegExp): Promise<void> {
    const all = join(String(machine.env['CLAUDE_CONFIG_DIR']), 'projects', '**', '*.jsonl');
    for (let n = 0; n < 300; n++) {
      if (globSync(all).some((file) => what.test(readFileSync(file, 'utf8')))) return;
      await setTimeout(50);
    }
    throw new Error(`no session has ${what}`);
  }

  it('goes on after it was stopped, in the session that was begun for the question', async () => {
    const model = await machine.open();
    const request = modelRequest({ workplace: { folder: checkout, rights: 'write' }, prompt: 'codeword alpha' });
    const stop = new AbortController();
    const from = machine.server.log.length;
    script = ({ messages }) =>
      messages.length < 3
        ? { tool: 'Write', input: { file_path: join(checkout, 'd.txt'), content: 'fourth\n' } }
        : { hang: true };
    const asked = model.generate(request, { ...ONE_CALL, question: 'q.again', signal: stop.signal });
    await machine.server.until(() => machine.server.log.length > from + 1);
    // It writes its session a moment after it has told the server.
    await sessionWith(/d\.txt[\s\S]*"tool_result"/);
    stop.abort();
    await assert.rejects(asked, /stopped/);
    assert.equal(await readFile(join(checkout, 'd.txt'), 'utf8'), 'fourth\n');
    script = () => ({ text: 'It is whole.' });
    const { signal } = new AbortController();
    const answer = await model.generate(request, { ...ONE_CALL, question: 'q.again', signal });
    assert.equal(answer.text, 'It is whole.');
    const last = machine.server.log.at(-1);
    assert.match(last?.text ?? '', /You were stopped/);
    assert.ok(JSON.stringify(last?.messages).includes('d.txt'), 'its own uses of tools are still in the session');
  });
});
