import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model, ModelRequest, Turn } from '../../../../src/core/ports/model.ts';
import { withoutReasoning } from '../../../../src/core/text/model-output.ts';
import { AcpMachine } from '../../../support/agents/acp-machine.ts';
import { ONE_CALL as IDS } from '../../../support/models/one-call.ts';
import { modelRequest } from '../model-request.ts';

const ONE_CALL = { ...IDS, signal: new AbortController().signal };

describe('an agent of the Agent Client Protocol', () => {
  let machine: AcpMachine;
  const models: Model[] = [];
  const useAgent = (way: string): void => {
    machine = new AcpMachine(way);
  };
  const open = async (limits?: { readonly usd: number }): Promise<Model> => {
    const model = await machine.open(limits);
    models.push(model);
    return model;
  };
  afterEach(async () => {
    for (const model of models.splice(0)) await model.close?.();
    machine.close();
  });

  const ask = (model: Model, prompt: string, turns: readonly Turn[] = [], more: Partial<ModelRequest> = {}) =>
    model.generate(modelRequest({ prompt, turns, ...more }), ONE_CALL);

  it('is asked about once, and again when its path or version changed, and never comes from the workspace', async () => {
    useAgent('forks');
    machine.agrees = false;
    await assert.rejects(open(), /to which you have not agreed/);
    machine.agrees = true;
    await open();
    await open();
    assert.deepEqual([machine.asked.length, machine.asked[0]?.name], [2, 'scripted']);
    assert.match(machine.asked[0]?.version ?? '', /^\d+\.\d+\.\d+ \(\d+ bytes\)$/);

    const own = join(machine.home, 'own-agent');
    writeFileSync(own, '#!/bin/sh\n');
    chmodSync(own, 0o755);
    machine.settings([own]);
    await open();
    await open();
    assert.equal(machine.asked.length, 3);
    writeFileSync(own, '#!/bin/sh\necho another\n');
    await open();
    assert.equal(machine.asked.length, 4);

    mkdirSync(join(machine.workspace, 'bin'));
    copyFileSync(own, join(machine.workspace, 'bin', 'gemini'));
    machine.settings([join(machine.workspace, 'bin', 'gemini')]);
    await assert.rejects(open(), /not installed, or is in this workspace/);
    assert.equal(machine.asked.length, 4);
  });

  it('forks sessions, so that children see what is above them and no siblings', async () => {
    useAgent('forks');
    const model = await open();
    const above = await ask(model, 'Alder?', [], { system: 'You are terse.' });
    const turns: Turn[] = [
      { role: 'user', text: 'Alder?' },
      { role: 'assistant', text: 'It was.', session: above.session as string },
    ];
    await Promise.all(['Left?', 'Right?'].map((prompt) => ask(model, prompt, turns)));
    const [first, ...children] = machine.log;
    assert.equal(first?.text, 'You are terse.\n\nAlder?');
    for (const { text, before } of children) {
      assert.match(text, /^(Left|Right)\?$/);
      assert.equal(before[0], first?.text);
      assert.equal(before.length, 2);
    }
    assert.equal(new Set(machine.log.map(({ sessionId }) => sessionId)).size, 3);
  });

  for (const way of ['loads', 'plain'])
    it(`${way === 'loads' ? 'continues sessions' : 'is told again'} where it cannot fork, and none sees its siblings`, async () => {
      useAgent(way);
      const model = await open();
      const answer = await ask(model, 'Alder?');
      const { text } = withoutReasoning(answer.text);
      const turns: Turn[] = [
        { role: 'user', text: 'Alder?' },
        { role: 'assistant', text, session: answer.session as string },
      ];
      for (const prompt of ['Left?', 'Right?']) await ask(model, prompt, turns);
      const [, left, right] = machine.log;
      assert.equal(left?.before.length, way === 'loads' ? 2 : 0);
      assert.equal(left?.text.includes('Alder?'), way !== 'loads');
      // The session went on: what is asked beside that begins anew.
      assert.deepEqual(right?.before, []);
      assert.ok(right?.text.includes('Alder?') && !right.text.includes('Left?'));
    });

  it('keeps what it read and did with the words of the call, apart from its answer', async () => {
    useAgent('forks');
    const told: string[] = [];
    const model = await open();
    const onProgress = ({ text }: { readonly text: string }): void => void told.push(text);
    const { text } = await model.generate(modelRequest({ prompt: 'Why?' }), { ...ONE_CALL, onProgress });
    const { text: answer, reasoning } = withoutReasoning(text);
    assert.equal(answer, 'The trees were looked at.');
    assert.match(reasoning, /Let me look\.\n\[read\] Read a file src\/a\.ts:7\n/);
    assert.deepEqual(told, ['scripted (ACP): Read a file src/a.ts:7']);
  });

  it('counts the tokens that Gemini CLI reports in a place of its own', async () => {
    useAgent('counts');
    const { usage } = await ask(await open(), 'One?');
    assert.deepEqual(usage, { prompt: 12_000, cached: 0, completion: 345 });
  });

  it('costs what it reports, and is stopped at the first report over the limit', async () => {
    useAgent('forks');
    const model = await open();
    const first = await ask(model, 'One?');
    const turns: Turn[] = [{ role: 'assistant', text: 'It was.', session: first.session as string }];
    const second = await ask(model, 'Two?', turns);
    assert.deepEqual([first.usage?.usd, second.usage?.usd], [0.01, 0.01]);
    assert.match(model.warning?.text ?? '', /stopped at the first report over \$0\.50/);
    machine.close();
    useAgent('dear');
    const dear = await open({ usd: 0.3 });
    const { finish, usage, text } = await ask(dear, 'Three?');
    assert.deepEqual([finish, usage?.usd, text], ['length', 9, '']);
  });

  it('is bound by calls and minutes where it reports nothing, and that is told', async () => {
    useAgent('silent');
    const model = await open();
    assert.equal(model.most?.usd, 0.5);
    const told: string[] = [];
    const onProgress = ({ text }: { readonly text: string }): void => void told.push(text);
    const { usage } = await model.generate(modelRequest({ prompt: 'Why?' }), { ...ONE_CALL, onProgress });
    assert.equal(usage?.usd, undefined);
    assert.ok((usage?.completion ?? 0) > 0);
    assert.equal(model.most?.usd, undefined);
    assert.match(told.at(-1) ?? '', /reports no costs: only the limits of calls, tokens and minutes hold/);
  });

  it('changes nothing in a role that reads, and its folder alone in one that works', async () => {
    useAgent('writes');
    const model = await open();
    await ask(model, 'Why?');
    const [tried] = machine.lines('tried.jsonl') as { outcome: object; written: string[] }[];
    assert.deepEqual(tried, { outcome: { outcome: 'selected', optionId: 'no' }, written: [] });
    assert.deepEqual(readdirSync(machine.workspace), ['a.txt']);
    const checkout = join(machine.home, 'checkout');
    mkdirSync(checkout);
    await ask(model, 'Do it.', [], { workplace: { folder: checkout, rights: 'write' } });
    const [, worked] = machine.lines('tried.jsonl') as { outcome: object; written: string[] }[];
    const made = join(checkout, 'escaped.txt');
    assert.deepEqual(worked, { outcome: { outcome: 'selected', optionId: 'yes' }, written: [made] });
    assert.equal(readFileSync(made, 'utf8'), 'here');
    assert.deepEqual(readdirSync(machine.workspace), ['a.txt']);
  });

  it('ends with everything that it started when a call is stopped', async () => {
    useAgent('forks');
    machine.hang();
    const model = await open();
    const stop = new AbortController();
    const asked = model.generate(modelRequest({ prompt: 'Why?' }), { ...ONE_CALL, signal: stop.signal });
    while (machine.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await assert.rejects(asked, /The call was stopped/);
  });
});
