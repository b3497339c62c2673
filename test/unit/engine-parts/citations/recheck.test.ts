import assert from 'node:assert/strict';
import { nodeAt, pathOf } from '../../../../src/core/tree/tree.ts';
import { type Simulation, simulate } from '../../../support/searches/simulated-search.ts';
import { type HeldText, heldText } from './held-text.ts';

const FILE = 'src/queue.ts';
const FILES = { [FILE]: 'export class Queue {\n  push(job: Job): void {}\n}\n' };
const ANSWER = `---\ntitle: A\nsummary: It pushes.\n---\n# A\n\nIt pushes.\n\n[${FILE}:2]\n\n\`\`\`ts\n  push(job: Job): void {}\n\`\`\`\n`;

/** A workspace whose files are read as slowly as one likes. */
class SlowText {
  readonly text: HeldText = heldText(FILES);
  #reads = 0;
  #most = 0;
  #gate: Promise<void> = Promise.resolve();
  #open = (): void => undefined;

  constructor() {
    const read = this.text.read.bind(this.text);
    this.text.read = async (path) => {
      this.#most = Math.max(this.#most, ++this.#reads);
      await this.#gate;
      this.#reads--;
      return read(path);
    };
  }

  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  letGo(): void {
    this.#open();
  }

  /** The most reads that were under way at once. */
  get most(): number {
    return this.#most;
  }
}

interface Case extends Simulation {
  readonly slow: SlowText;
  readonly path: string;
}

/** A finished search whose one document cites a line that is gone since; files are read no further. */
async function aboutToRecheck(): Promise<Case> {
  const slow = new SlowText();
  const simulation = await simulate({
    tree: { fanout: (_path, depth) => (depth === 0 ? 1 : 0) },
    model: { instead: ({ purpose }) => (purpose === 'document' ? ANSWER : undefined) },
    search: { workspaceText: slow.text, limits: { size: 'all', maxDepth: 1 }, concurrency: 1 },
  });
  await simulation.run();
  const [node] = simulation.search.tree.root.children;
  slow.text.files[FILE] = 'export class Stack {}\n';
  slow.hold();
  return { ...simulation, slow, path: node ? pathOf(node) : '' };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const counts = ({ search, path }: Case): unknown => nodeAt(search.tree, path)?.citations;
const VERIFIED = { verified: 1, moved: 0, stale: 0, not_found: 0 };
const STALE = { verified: 0, moved: 0, stale: 1, not_found: 0 };

describe('citations that are checked again', () => {
  it('hold up neither what a person does nor the search while files are read', async () => {
    const one = await aboutToRecheck();
    const checked = one.search.recheckCitations();
    await settle();
    const { say } = await one.search.act({ action: 'add', node: one.path, title: 'More' }, 'test');
    assert.match(say.text, /More/);
    await one.search.reconcile(one.path);
    one.slow.letGo();
    assert.equal(await checked, 1);
    assert.deepEqual(counts(one), STALE);
  });

  it('write nothing into a document that was saved or removed meanwhile', async () => {
    for (const after of ['saved', undefined]) {
      const one = await aboutToRecheck();
      const checked = one.search.recheckCitations();
      await settle();
      if (after === undefined) await one.store.setDocumentAside(one.path);
      else await one.store.writeDocument(one.path, after);
      one.slow.letGo();
      assert.equal(await checked, 0);
      assert.equal(await one.store.readDocument(one.path), after);
      assert.deepEqual(counts(one), VERIFIED);
    }
  });

  it('write when the person’s action that is under way is over', async () => {
    const one = await aboutToRecheck();
    const order: string[] = [];
    one.search.listen((event) => {
      if (event.type === 'steered' || event.type === 'reconciled') order.push(event.type);
    });
    const { changeNode } = one.store;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    one.store.changeNode = async (...args) => {
      await held;
      return changeNode.apply(one.store, args);
    };
    const steered = one.search.act({ action: 'prune', node: one.path }, 'test');
    await settle();
    const checked = one.search.recheckCitations();
    one.slow.letGo();
    await settle();
    assert.deepEqual(order, []);
    letGo();
    await Promise.all([steered, checked]);
    assert.equal(order[0], 'steered');
  });

  it('are checked once at a time, and what waits for the same is done once', async () => {
    const one = await aboutToRecheck();
    const first = one.search.recheckCitations();
    await settle();
    const second = one.search.recheckCitations();
    const third = one.search.recheckCitations();
    const branch = one.search.recheckCitations(one.path);
    await settle();
    assert.equal(one.slow.most, 1);
    one.slow.letGo();
    assert.deepEqual(await Promise.all([first, second, third, branch]), [1, 0, 0, 0]);
    assert.equal(second, third);
    assert.equal(one.slow.most, 1);
  });

  it('write nothing after the search was closed', async () => {
    const one = await aboutToRecheck();
    const before = await one.store.readDocument(one.path);
    const checked = one.search.recheckCitations();
    await settle();
    await one.search.close();
    one.slow.letGo();
    assert.equal(await checked, 0);
    assert.equal(await one.store.readDocument(one.path).catch(() => before), before);
    assert.deepEqual(counts(one), VERIFIED);
  });
});
