import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addStart } from '../../../src/cli/commands/start.ts';
import {
  addKindOptions,
  kindChoices,
  perRunOf,
  refuseForeignOptions,
  type TypedFlags,
} from '../../../src/cli/options/kind-options.ts';
import { descriptorOf } from '../../../src/engine/kind.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { newSearch } from '../../../src/searches/new-search.ts';
import { sumsDescriptor, WITH_SUMS } from '../../support/sums-kind.ts';

const descriptors = WITH_SUMS.map(({ descriptor }) => descriptor);

/** What a command line with the options of all kinds reads. */
function typed(...words: string[]): TypedFlags {
  const command = new Command('start').exitOverride().configureOutput({ writeErr: () => undefined });
  return addKindOptions(command, descriptors).parse(words, { from: 'user' }).opts();
}

describe('the options of a kind on the command line', () => {
  it('are in the help of start as in its descriptor, whoever made the kind', () => {
    const program = new Command();
    addStart(program, () => undefined, WITH_SUMS);
    const help = (program.commands[0] as Command).helpInformation().replace(/\s+/g, ' ');
    assert.match(
      help,
      /--kind <kind> research a question, or solve a problem, or investigate a question in rounds, or reach a goal by a graph of work, or add things up/,
    );
    assert.match(help, /choices: "research", "thoughts", "investigation", "work-graph", "sums", default: "research"/);
    assert.match(help, /--carry-over <n> sums: what is carried over/);
    assert.match(help, /--base <value> sums: the base \(choices: "two", "ten"\)/);
    assert.match(help, /--picker <form> research: how the next topic is chosen/);
    assert.match(help, /--judge-by <group> thoughts: what one call judges/);
    assert.ok(!help.includes('--max-children'), 'only search.json has it');
  });

  it('are read in their range, and kept in search.json', async () => {
    const { options, ...more } = kindChoices(typed('--carry-over', '7', '--signed', '--base', 'two'), sumsDescriptor);
    assert.deepEqual([options, more], [{ carryOver: 7, signed: true, base: 'two' }, {}]);
    for (const wrong of ['10', '-1', '1.5', 'x']) assert.throws(() => typed('--carry-over', wrong), /from 0 to 9/);
    assert.throws(() => typed('--base', 'three'), /Allowed choices/);
    const file = await newSearch(WITH_SUMS, { kind: 'sums', title: 'T', prompt: '1 + 2', model: 'a/b', options });
    assert.deepEqual([file.kind, file.options], ['sums', { read: 'tools', ...options }]);
    const asked = { kind: 'sums', title: 'T', prompt: '1 + 2', model: 'a/b', options: { carryOver: 10 } };
    await assert.rejects(newSearch(WITH_SUMS, asked), { reason: 'bad-input', message: /carryOver/ });
  });

  it('support a field and a flag with other names', () => {
    const thoughts = descriptorOf(KINDS, 'thoughts') as typeof sumsDescriptor;
    assert.deepEqual(kindChoices(typed('--strategy', 'best-first', '--judge-by', 'parent'), thoughts), {
      options: { judge: 'parent' },
      strategy: 'best-first',
    });
  });

  it('have the flag of earlier versions, which the help leaves out', () => {
    const thoughts = descriptorOf(KINDS, 'thoughts') as typeof sumsDescriptor;
    for (const flag of ['--adaptive', '--beam-follows-scores'])
      assert.deepEqual(kindChoices(typed(flag), thoughts), { options: { beamFollowsScores: true } });
    const program = new Command();
    addStart(program, () => undefined, WITH_SUMS);
    assert.doesNotMatch((program.commands[0] as Command).helpInformation(), /--adaptive/);
  });

  it('are refused in a search of another kind, naming theirs', () => {
    const refused = (flags: TypedFlags, kind: string, message: RegExp): void =>
      assert.throws(() => refuseForeignOptions(flags, WITH_SUMS, descriptorOf(WITH_SUMS, kind)), { message });
    refused(
      typed('--carry-over', '1'),
      'research',
      /^--carry-over is for searches that add things up: add --kind sums/,
    );
    refused(typed('--beam', '2'), 'sums', /--kind thoughts/);
    refused(typed('--picker', 'ranked'), 'thoughts', /^--picker is for searches that research a question/);
    refused({ checkTimeout: 3 }, 'research', /^--check-timeout is for searches that solve a problem/);
    refused({ plan: 'plan.yaml' }, 'research', /^--plan is for searches that reach a goal.*--kind work-graph/);
    refused({ allowNetwork: true }, 'thoughts', /^--allow-network is for searches that reach a goal/);
    refused({ allowCommands: true }, 'thoughts', /^--allow-commands is for searches that reach a goal/);
    refuseForeignOptions({ plan: 'plan.yaml' }, WITH_SUMS, descriptorOf(WITH_SUMS, 'work-graph'));
    refuseForeignOptions(typed('--beam', '2'), WITH_SUMS, descriptorOf(WITH_SUMS, 'thoughts'));
    refuseForeignOptions({ check: 'true' }, WITH_SUMS, descriptorOf(WITH_SUMS, 'thoughts'));
  });

  it('apply to one run if their descriptor says so', () => {
    assert.deepEqual(
      descriptors.flatMap((descriptor) => perRunOf(descriptor).options.map(({ name }) => name)),
      ['picker', 'leastScore', 'samples', 'stopAfter', 'pointWorth', 'onStall', 'models', 'parallel'],
    );
  });
});
