import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { addAtomTools } from '../../../src/mcp/atom-tools.ts';
import { addInvestigationTools } from '../../../src/mcp/investigation-tools.ts';
import { Investigations } from '../../../src/mcp/investigations.ts';
import { addPanelTool, takesText } from '../../../src/mcp/server.ts';
import { TreeProgram, type TreeProgramParts } from '../../../src/mcp/tree-program.ts';
import { addTreeTools } from '../../../src/mcp/tree-tools.ts';
import type { ToolAnswer } from '../../../src/searches/agent-tools/agent-host.ts';

const nodes = [{ id: 'R1.A', parent: null, title: 'A', plannedAction: 'Look' }];
const results = [{ nodeId: 'R1.A', state: 'EXPLORE', findings: '5', agentId: null }];
/** Arguments of every tool that takes more than texts. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  tot_start: { query: '5', minRounds: 6 },
  tot_propose: { sessionId: 's', nodes },
  tot_commit: { sessionId: 's', results },
  tot_end: { sessionId: 's', minRounds: 6 },
  tree_start: {
    question: '5',
    max_depth: 3,
    max_usd: 0.5,
    wait_seconds: 20,
    options: { beam: 3, beamFollowsScores: true },
  },
  tree_wait: { search: 's', seconds: 5 },
  tree_read: { search: 's', what: 'words', node: '5', call: 1, offset: 0 },
  tree_compare: { search: 's', with: 's@2', node: '5', with_node: '6', offset: 0 },
  tree_act: { search: 's', action: 'grow', arguments: { maxDepth: 6 }, max_usd: 1 },
  atom_done: { search: 's', atom: 'A1', success: false, summary: '5', artifacts: ['a'] },
  panel_changes: { search: 's', call: 1 },
};

describe('the tools of the server', () => {
  let workspace: string;
  let tools: Map<string, { inputSchema?: z.ZodObject }>;
  let program: TreeProgram;
  const programWith = (more: Partial<TreeProgramParts> = {}): TreeProgram => {
    const parts = {
      kinds: KINDS,
      workspace,
      folder: join(workspace, 'thought-trees'),
      allowUsd: 0,
      allowDelete: false,
    };
    return new TreeProgram({ ...parts, ...more }, () => undefined);
  };
  beforeEach(async () => {
    workspace = await mkdtemp(join(tmpdir(), 'thought-tree-tools-'));
    program = programWith();
    const investigations = new Investigations({
      workspace,
      folder: workspace,
      profile: 'strict',
      requireAgents: false,
    });
    tools = new Map();
    const server = takesText({ registerTool: (name: string, config: object) => tools.set(name, config) } as never);
    const mcp: McpServer = server;
    addInvestigationTools(mcp, investigations, false, []);
    addTreeTools(mcp, program, false, []);
    addAtomTools(mcp, program, false);
    addPanelTool(mcp, program, investigations, false);
  });
  afterEach(async () => {
    await program.close();
    await rm(workspace, { recursive: true, force: true });
  });

  const schemaOf = (name: string) => z.toJSONSchema(tools.get(name)?.inputSchema as z.ZodObject, { io: 'input' });

  it('all take lists, numbers and truth values that come as text', async () => {
    for (const [name, { inputSchema }] of tools) {
      const given = ARGUMENTS[name] ?? {};
      const takes = Object.values(inputSchema ? (schemaOf(name).properties as Record<string, { type?: string }>) : {});
      const takesMore = takes.some(({ type }) => type !== 'string' && type !== undefined);
      assert.ok(Object.hasOwn(ARGUMENTS, name) || !takesMore, `${name} is not tried`);
      const asText = Object.entries(given).map(([key, value]): [string, unknown] => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const validate = async (value: unknown) => await inputSchema?.['~standard'].validate(value);
      assert.deepEqual(await validate(Object.fromEntries(asText)), await validate(given), name);
    }
  });

  it('say what is wrong within what came as text, and nothing about what they read', async () => {
    const issues = async (name: string, args: object): Promise<unknown> => {
      const result = await tools.get(name)?.inputSchema?.['~standard'].validate(args);
      return result?.issues?.map(({ path }) => path?.join('.'));
    };
    const wrong = JSON.stringify([{ ...results[0], state: 'FOUNDD' }]);
    assert.deepEqual(await issues('tot_commit', { sessionId: 's', results: wrong }), ['results.0.state']);
    assert.deepEqual(await issues('atom_done', { atom: 'A1', success: 'true', summary: 'x' }), ['search']);
    const long = { search: 's', atom: 'A1', summary: JSON.stringify(['x'.repeat(2000)]) };
    const { issues: found } = (await tools.get('atom_done')?.inputSchema?.['~standard'].validate(long)) ?? {};
    assert.match(found?.[0]?.message ?? '', /^Too big/);
  });

  it('say in a few words what each of their inputs is, and take nothing of no use under our own rules', () => {
    for (const [name] of tools) {
      if (!name.startsWith('tot_') || !tools.get(name)?.inputSchema) continue;
      const text = JSON.stringify(schemaOf(name));
      assert.doesNotMatch(text, /"(mode|allowEarlyTerminal|suppressBreadthWarnings)"/, name);
      const check = (schema: Readonly<Record<string, unknown>>): void => {
        const { properties = {}, items } = schema as { properties?: Record<string, object>; items?: object };
        for (const [key, each] of Object.entries(properties)) {
          assert.ok('description' in each, `${name}: ${key}`);
          check(each as Record<string, unknown>);
        }
        if (items) check(items as Record<string, unknown>);
      };
      check(schemaOf(name));
    }
  });

  it('name the kinds of searches, each with a line, and their options', () => {
    const { properties } = schemaOf('tree_start') as {
      properties: Record<string, { enum?: string[]; description: string }>;
    };
    const { kind, options } = properties;
    assert.deepEqual(kind?.enum, ['research', 'thoughts', 'investigation', 'work-graph']);
    for (const name of kind?.enum ?? []) assert.match(kind?.description ?? '', new RegExp(`^- ${name}: .+`, 'm'));
    assert.match(options?.description ?? '', /^- thoughts: .*beam \(1 to 50\).*judge \(layer, parent\)/m);
    assert.doesNotMatch(options?.description ?? '', /sessionId|minRounds/);
  });

  const call = async (name: 'tree_start' | 'tree_act', args: object, at = program): Promise<ToolAnswer> =>
    await at.call(name, args, { signal: new AbortController().signal }, async () => ({}));

  it('begin a goal only with a plan that may be carried out, and else write nothing', async () => {
    const goal = { question: 'Say hello', kind: 'work-graph' };
    const plan =
      'goal: Say hello\nbase_case: [{ item: It is said, check: { command: test 1 } }]\natoms: [{ id: A1, title: Say it, run: echo hello }]\n';
    const refused = async (args: object, why: RegExp): Promise<void> => {
      await assert.rejects(call('tree_start', args), why);
      assert.deepEqual(await readdir(workspace), []);
    };
    await refused(goal, /begins with a plan: give it as "plan"/);
    await refused({ ...goal, plan: 'goal: [' }, /plan/);
    await refused({ ...goal, plan }, /--allow-commands/);
    await refused({ ...goal, kind: 'research', plan }, /take no plan/);
    const allowed = programWith({ allowCommands: true });
    await assert.rejects(call('tree_start', { ...goal, plan }, allowed), /git/);
    assert.deepEqual(await readdir(workspace), []);
  });

  it('read options and arguments of actions that come as text, and say that what is free costs nothing', async () => {
    const thoughts = (options: object) => call('tree_start', { question: 'Why?', kind: 'thoughts', options });
    await assert.rejects(thoughts({ beam: '2', beamFollowsScores: 'False' }), /No model/); // only that is missing
    await assert.rejects(thoughts({ beam: 'two' }), /beam/);
    const { data } = await call('tree_start', { question: 'Why?', size: 'small', wait_seconds: 20 });
    assert.equal(data['state'], 'finished');
    // It was read: what is wrong is only that the search has nothing to do there.
    const grown = call('tree_act', { search: 'why', action: 'grow', arguments: { maxDepth: '6' } });
    await assert.rejects(grown, /Nothing is left to work on/);
    const { text, data: offered } = await call('tree_act', { search: 'why' });
    assert.doesNotMatch(text, /may cost money/);
    assert.ok((offered['actions'] as { spends: boolean }[]).every(({ spends }) => !spends));
    await assert.rejects(call('tree_act', { search: 'why', node: 'nowhere' }), (error: Error) => {
      assert.doesNotMatch(error.message, /`status`/);
      return true;
    });
  });
});
