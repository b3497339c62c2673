import assert from 'node:assert/strict';
import { costOf } from '../../../../src/core/money/price.ts';
import { ModelSpend, membersIn } from '../../../../src/core/money/several-models.ts';
import { type Model, type Price, wrappedModel } from '../../../../src/core/ports/model.ts';
import { isThoughtTreeError } from '../../../../src/core/search/errors.ts';
import { findingsIn } from '../../../../src/core/search/record/search-state.ts';
import { Tree, type TreeNode, walk } from '../../../../src/core/tree/tree.ts';
import type { SearchParts } from '../../../../src/engine-parts/opening/open-held-search.ts';
import { chooseModel, ModelAnswers } from '../../../../src/kinds/thoughts/model-choice.ts';
import { settingsFor } from '../../../../src/kinds/thoughts/settings.ts';
import { STRATEGY_NAMES } from '../../../../src/kinds/thoughts/strategy/strategies.ts';
import { findTask } from '../../../../src/kinds/thoughts/tasks/find-task.ts';
import { BroughtByModels, type ThoughtSearch } from '../../../../src/kinds/thoughts/thought-search.ts';
import { SearchStore } from '../../../../src/store/search-store.ts';
import { CrashingFiles } from '../../../support/crashing-files.ts';
import { createMemoryStore, MemoryFiles } from '../../../support/memory-store.ts';
import { thoughtModel } from '../../../support/models/thought-model.ts';
import { snapshotOf } from '../../../support/searches/search-snapshot.ts';
import {
  simulateThoughts,
  type ThoughtSimulation,
  type ThoughtSimulationOptions,
  thoughtFile,
} from '../../../support/searches/simulated-thoughts.ts';
import type { VirtualClock } from '../../../support/virtual-clock.ts';

const right = { check: () => undefined, release: async () => undefined };
const PRICES = {
  'a/cheap': { prompt: 10, cached: 1, completion: 40 },
  'a/middle': { prompt: 14, cached: 1.4, completion: 56 },
  'a/dear': { prompt: 20, cached: 2, completion: 80 },
} as const satisfies Record<string, Price>;
type Name = keyof typeof PRICES;
const NAMES = Object.keys(PRICES) as Name[];
const MODELS = NAMES.join(',');

/** The servers of three models: what each was asked for, and what that costs by their own figures. */
class Servers {
  readonly asked: { name: Name; node: string; usd: number }[] = [];
  /** Called before each call, on any of them. */
  onCall: () => Promise<void> = async () => undefined;

  /** The calls of one that gives no usable answer. */
  broken = 0;
  readonly models: Record<Name, Model>;
  #made = 0;

  /** @param clock it, once there is one: calls take a while */
  constructor(clock: () => VirtualClock | undefined = () => undefined) {
    this.models = Object.fromEntries(NAMES.map((name) => [name, this.#model(name, clock)])) as Record<Name, Model>;
  }

  #model(name: Name, clock: () => VirtualClock | undefined): Model {
    const mark = name.slice(2, 3);
    const inner = thoughtModel({
      thoughts: (path, earlier, count) =>
        Array.from({ length: count }, (_, at) => ({
          // Rounds that run side by side say different things.
          content: `${path.at(-1) ?? ''}${mark}${clock() ? ++this.#made : earlier.length + at + 1}`,
        })),
    });
    return wrappedModel(inner, {
      name,
      price: PRICES[name],
      generate: async (request, call) => {
        await this.onCall();
        await clock()?.sleep(100 + ((request.node.length * 37) % 90), call.signal);
        const answer = await inner.generate(request, call);
        const usd = answer.usage ? costOf(answer.usage, PRICES[name]) : 0;
        this.asked.push({ name, node: request.node, usd });
        return answer;
      },
    });
  }

  /** Lets a model give nothing but answers that cannot be used. */
  break(name: Name): this {
    this.models[name] = wrappedModel(this.models[name], {
      generate: async () => {
        await this.onCall();
        this.broken++;
        return { text: 'I would rather not.', finish: 'stop', usage: { prompt: 100, cached: 0, completion: 5 } };
      },
    });
    return this;
  }

  members(most: Partial<Record<Name, number>> = {}): NonNullable<SearchParts['members']> {
    return NAMES.map((name) => ({ model: this.models[name], most: most[name] }));
  }

  spentBy(name: Name): number {
    return this.asked.filter((each) => each.name === name).reduce((sum, { usd }) => sum + usd, 0);
  }
}

/** What a model of the three is good for: the last letters of a thought tell who made it. */
const WORTH: Readonly<Record<string, number>> = { c: 3.6, m: 6, d: 8.2 };

function scoreOf(content: string): number {
  const maker = /([a-z])\d+$/.exec(content)?.[1] ?? '';
  return (WORTH[maker] ?? 5) + ((content.length * 7) % 10) / 10 - 0.5;
}

const GIVEN: ThoughtSimulationOptions = {
  strategy: 'adaptive',
  options: { candidates: 2, maxDepth: 4, threshold: 1, size: 'small', models: MODELS, seed: 11 },
  model: { score: scoreOf },
};

let runs = 0;

/** Runs a search with three models whose process dies at its n-th call, with one slot; tells whether it ended. */
async function runTo(
  files: MemoryFiles,
  diesAt: number,
  servers = new Servers(),
): Promise<{ ended: boolean; it: ThoughtSimulation }> {
  const crashing = new CrashingFiles(files);
  const dead = Promise.withResolvers<void>();
  let calls = 0;
  servers.onCall = async () => {
    if (++calls < diesAt) return;
    crashing.changes = Number.POSITIVE_INFINITY;
    dead.resolve();
    await new Promise(() => undefined);
  };
  const instead = (): undefined => {
    if (++calls >= diesAt) {
      crashing.changes = Number.POSITIVE_INFINITY;
      dead.resolve();
    }
    return undefined;
  };
  const it = await simulateThoughts({
    ...GIVEN,
    store: new SearchStore(crashing, right),
    seed: ++runs,
    model: { ...GIVEN.model, instead },
    search: { concurrency: 1, members: servers.members() },
  });
  const over = it.run().then(
    () => true,
    () => false,
  );
  const ended = await Promise.race([over, dead.promise.then(() => false)]);
  if (!ended) it.clock.stop();
  return { ended, it };
}

function emptyFiles(): MemoryFiles {
  const files = new MemoryFiles();
  createMemoryStore(thoughtFile(GIVEN), files);
  return files;
}

const makersIn = ({ search }: ThoughtSimulation): (string | undefined)[] =>
  [...walk(search.tree.root)].flatMap(({ parent, model }) => (parent ? [model] : []));

describe('several models in one search', () => {
  it('are chosen as in a search that was not disturbed, though it is killed at every tenth call', async () => {
    const whole = emptyFiles();
    const { it: undisturbed } = await runTo(whole, Number.POSITIVE_INFINITY);
    assert.deepEqual(new Set(makersIn(undisturbed)), new Set(NAMES));
    const files = emptyFiles();
    let processes = 0;
    for (let ended = false; !ended; processes++) {
      assert.ok(processes < 60);
      ended = (await runTo(files, 10)).ended;
    }
    assert.ok(processes > 3, `${processes} processes`);
    assert.deepEqual(await snapshotOf(files), await snapshotOf(whole));
  });

  it('are not asked again, after a kill, in a round in which they gave no usable answer', async () => {
    const whole = emptyFiles();
    const undisturbed = new Servers().break('a/cheap');
    await runTo(whole, Number.POSITIVE_INFINITY, undisturbed);
    for (let diesAt = 3; diesAt < 12; diesAt++) {
      const files = emptyFiles();
      await runTo(files, diesAt, new Servers().break('a/cheap'));
      assert.equal((await runTo(files, Number.POSITIVE_INFINITY, new Servers().break('a/cheap'))).ended, true);
      assert.deepEqual(await snapshotOf(files), await snapshotOf(whole), `killed at its call ${diesAt}`);
    }
    const files = emptyFiles();
    let [processes, broken] = [0, 0];
    for (let ended = false; !ended; processes++) {
      assert.ok(processes < 200);
      const servers = new Servers().break('a/cheap');
      ended = (await runTo(files, 7, servers)).ended;
      broken += servers.broken;
    }
    assert.ok(undisturbed.broken > 3 && processes > 4, `${undisturbed.broken} calls, ${processes} processes`);
    assert.deepEqual(await snapshotOf(files), await snapshotOf(whole));
    const { it } = await runTo(files, Number.POSITIVE_INFINITY);
    const past = it.search.record.part(ModelAnswers);
    const kept = new ModelAnswers();
    kept.restore(JSON.parse(JSON.stringify(past?.state)));
    assert.ok(past && past.missedBy('a/cheap').count > 0);
    assert.deepEqual([kept.state, kept.all], [past.state, past.all]);
    // Only a question that a kill cut off is asked from its beginning.
    assert.ok(broken < undisturbed.broken + 2 * processes, `${broken} and ${undisturbed.broken} calls`);
  });

  it('say who made what, and the report what each was worth', async () => {
    const files = emptyFiles();
    const { it } = await runTo(files, Number.POSITIVE_INFINITY);
    for (const node of walk(it.search.tree.root))
      if (node.parent) assert.equal(node.title.match(/([a-z])\d+$/)?.[1], node.model?.slice(2, 3), node.title);
    const report = (await files.read('report.md')) ?? '';
    assert.match(report, /## What each model was worth\n\n- a\/cheap: \d+ calls?, .* thoughts? judged, [\d.]+ of 10/);
    const worth = findingsIn(it.search.results, 'thoughts')?.models ?? [];
    assert.deepEqual(
      worth.map(({ model }) => model),
      NAMES,
    );
    const spend = it.search.record.part(ModelSpend);
    for (const { model, calls, usd, judged, best } of worth) {
      const of = spend?.of(model);
      assert.equal(calls, of?.calls);
      assert.ok(Math.abs(usd - (of?.usd ?? 0)) < 1e-9, model);
      assert.ok(judged > 0 && (best ?? 0) > 3, model);
    }
  });

  it('are worth what their thoughts are, though one of them does all the rest', async () => {
    const servers = new Servers();
    const main = servers.models['a/cheap'];
    const it = await simulateThoughts({
      ...GIVEN,
      search: { concurrency: 1, model: main, members: servers.members() },
    });
    await it.run();
    const worth = findingsIn(it.search.results, 'thoughts')?.models?.find(({ model }) => model === 'a/cheap');
    const made = new Set([...walk(it.search.tree.root)].filter(({ model }) => model === 'a/cheap'));
    assert.ok(made.size > 0);
    assert.equal(worth?.calls, made.size / 2);
    assert.ok((it.search.record.part(ModelSpend)?.of('a/cheap').calls ?? 0) > made.size / 2);
  });

  it('lose nothing with 16 slots, pay nothing twice, and keep to what each may spend', async () => {
    const late: { clock?: VirtualClock } = {};
    const servers = new Servers(() => late.clock);
    const most = { 'a/cheap': 0.3, 'a/middle': 0.5 };
    const models = NAMES.map((name) => (name in most ? `${name}=${most[name as keyof typeof most]}` : name)).join(',');
    const it = await simulateThoughts({
      ...GIVEN,
      options: { ...GIVEN.options, models, size: 'large' },
      search: { concurrency: 16, members: servers.members(most) },
    });
    late.clock = it.clock;
    const outcome = await it.run();
    assert.equal(outcome.state, 'finished');
    for (const name of NAMES) {
      const said = it.search.record.part(ModelSpend)?.of(name).usd ?? 0;
      assert.ok(Math.abs(said - servers.spentBy(name)) < 1e-9, `${name}: ${said} and ${servers.spentBy(name)}`);
    }
    for (const [name, limit] of Object.entries(most)) {
      assert.ok(servers.spentBy(name as Name) <= limit, `${name}: ${servers.spentBy(name as Name)}`);
      assert.ok(servers.spentBy(name as Name) > limit / 5, `${name}: ${servers.spentBy(name as Name)}`);
    }
    // Each answer made two thoughts, and each thought is there.
    assert.equal(makersIn(it).length, 2 * servers.asked.length);
    for (const name of NAMES)
      assert.equal(
        makersIn(it).filter((maker) => maker === name).length,
        2 * servers.asked.filter((each) => each.name === name).length,
      );
  });

  it('leave it to the others where one may spend nothing more, and pause where none may', async () => {
    const servers = new Servers();
    const nothing = { 'a/cheap': 0.000_001, 'a/middle': 0.000_001 };
    const models = 'a/cheap=0.000001,a/middle=0.000001,a/dear';
    const options = { ...GIVEN.options, models };
    const only = await simulateThoughts({ ...GIVEN, options, search: { members: servers.members(nothing) } });
    assert.equal((await only.run()).state, 'finished');
    assert.deepEqual(new Set(makersIn(only)), new Set(['a/dear']));
    const all = { ...nothing, 'a/dear': 0.000_001 };
    const none = await simulateThoughts({ ...GIVEN, options, search: { members: servers.members(all) } });
    const outcome = await none.run();
    assert.equal(outcome.state === 'paused' && outcome.reason, 'budget');
    assert.match(outcome.state === 'paused' ? outcome.message : '', /One more call of a\/\w+ could exceed the \$/);
    assert.match(outcome.state === 'paused' ? (outcome.cause ?? '') : '', /^usd of a\/\w+$/);
    assert.equal(none.search.record.limitReached, undefined, 'a higher limit of the search would not help');
  });

  for (const strategy of STRATEGY_NAMES)
    it(`begin with a cheap one, and ask a dearer one where a judge says no, ${strategy}`, async () => {
      const servers = new Servers();
      const score = (content: string): number => (/d\d+$/.test(content) ? 9 : 2);
      const options = {
        candidates: 1,
        maxDepth: 2,
        threshold: 5,
        models: MODELS,
        seed: 3,
        size: 'small' as const,
      };
      const it = await simulateThoughts({
        strategy,
        options,
        model: { score },
        search: { concurrency: 1, members: servers.members() },
      });
      await it.run();
      const first = it.search.tree.root.children.map(({ model }) => model);
      const ranks = first.map((name) => NAMES.indexOf(name as Name));
      const dearest = ranks.indexOf(2);
      assert.ok(dearest > 0, `${first}`);
      assert.deepEqual(ranks.slice(0, dearest + 1), ranks.slice(0, dearest + 1).sort(), `${first}`);
    });

  it('ask the next one where a model gives no usable answer', async () => {
    const servers = new Servers().break('a/cheap');
    const members = [{ model: servers.models['a/cheap'] }, { model: servers.models['a/dear'] }];
    const it = await simulateThoughts({
      ...GIVEN,
      options: { ...GIVEN.options, models: 'a/cheap,a/dear' },
      search: { concurrency: 1, members },
    });
    assert.equal((await it.run()).state, 'finished');
    assert.deepEqual(new Set(makersIn(it)), new Set(['a/dear']));
    // It is paid for what it said, and asked less and less.
    const calls = it.search.record.part(ModelSpend)?.of('a/cheap').calls ?? 0;
    assert.ok(calls > 0 && calls < servers.asked.length, `${calls} and ${servers.asked.length}`);
  });

  it('are chosen without a look at any thought but those at the node', () => {
    const [tree, answers] = [new Tree('Why?'), new ModelAnswers()];
    const brought = new BroughtByModels(tree);
    for (let made = 0; made < 40; made++) {
      const file = { title: 'x', status: 'unexpanded', evaluation: { score: made % 2 === 0 ? 9 : 1 } } as const;
      const parent = made === 0 ? tree.root : (tree.root.children[0] as TreeNode);
      const node = tree.add(parent, `node_${made}`, {
        file: { ...file, model: made % 2 === 0 ? 'a/dear' : 'a/cheap' },
      });
      if (made === 0) tree.update(node, { status: 'expanded', listed: true });
      tree.update(tree.root, { listed: true });
      brought.look(node);
    }
    assert.deepEqual(brought.of('a/dear'), { judged: 20, good: 18 });
    const servers = new Servers();
    const settings = settingsFor({ options: { models: MODELS } }, findTask);
    const past = { part: (part: unknown) => (part === ModelAnswers ? answers : undefined) };
    const models = servers.members().map(({ model }) => model);
    const ctx = { models, settings, brought, history: { past }, tree: undefined } as unknown as ThoughtSearch;
    const node = tree.root.children[0]?.children[0] as TreeNode;
    let read = 0;
    const counted = new Proxy(tree.root.children[0] as TreeNode, {
      get: (target, name) => {
        if (name === 'children') read++;
        return Reflect.get(target, name, target);
      },
    });
    const alone = new Proxy(node, { get: (target, name) => (name === 'parent' ? counted : Reflect.get(target, name)) });
    assert.ok(NAMES.includes(chooseModel(ctx, alone, 1, new Set()) as Name));
    assert.equal(read, 0);
  });

  it('are taken from one option, which says what it takes', () => {
    assert.deepEqual(membersIn('ollama/qwen3:8b, b/c=0.50'), [{ name: 'ollama/qwen3:8b' }, { name: 'b/c', most: 0.5 }]);
    for (const text of ['', 'a,a', 'a=x', 'a,,b', 'a b', Array.from({ length: 9 }, (_, at) => `m/${at}`).join(',')]) {
      assert.equal(membersIn(text), undefined, text);
      if (text === '') continue;
      assert.throws(
        () => settingsFor({ options: { models: text } }, findTask),
        (error) => isThoughtTreeError(error, 'bad-input') && /names no models/.test(error.message),
      );
    }
  });
});
