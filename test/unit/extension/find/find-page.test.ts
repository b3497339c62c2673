import '../use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Model, ModelRequest } from '../../../../src/core/ports/model.ts';
import type { Lookup } from '../../../../src/core/ports/workspace-text.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { EventEmitter } from '../fake-events.ts';
import { fakeMemento } from '../fake-memento.ts';
import * as vscode from '../fake-vscode.ts';

const { findInFolder, foundPage } = await import('../../../../src/extension/find/find-page.ts');

const { fake, window, workspace } = vscode;
const PLACE = {
  title: 'x',
  says: '`push`: adds a <job>',
  place: 'src/a b.ts:4',
  link: 'src/a%20b.ts#L4',
  code: '',
  language: 'ts',
  shown: [{ from: 4, lines: [{ text: '  if (full < 3) return;', words: [[6, 10]] as [number, number][] }] }],
  callers: [
    {
      name: '`send`',
      place: 'src/send.ts:3',
      link: 'src/send.ts#L3',
      shown: [{ from: 3, lines: [{ text: 'push(1)', words: [] }] }],
    },
  ],
};
const LOOKUP: Lookup = {
  places: [PLACE],
  isOverview: false,
  files: 2,
  read: 2,
  skipped: [],
  missing: ['</p>'],
  near: [],
};

/** A webview of which the page is seen, and to which the page's messages are said. */
class Panel {
  readonly said = new EventEmitter<unknown>();
  readonly closed = new EventEmitter<void>();
  readonly pages: string[] = [];
  readonly onDidDispose = this.closed.event;
  readonly webview: object;

  constructor() {
    const { pages } = this;
    this.webview = {
      onDidReceiveMessage: this.said.event,
      set html(html: string) {
        pages.push(html);
      },
    };
  }
}

describe('the page of what was found', () => {
  it('shows marked lines and links, callers on a click, and nothing of a file as markup', () => {
    const page = foundPage(LOOKUP);
    assert.match(page, /<a href="#" data-open="src\/a b\.ts" data-line="4">/);
    assert.match(page, /<span class="dim">4<\/span> {2}if \(<mark>full<\/mark> &lt; 3\) return;/);
    assert.match(page, /<code>push<\/code>: adds a &lt;job&gt;/);
    assert.match(page, /<details><summary>Follow the callers \(1\)<\/summary>.*data-line="3".*push\(1\).*<\/details>/s);
    assert.match(page, /In no file: &lt;\/p&gt;\./);
    assert.match(page, /<button data-answer>/);
    assert.doesNotMatch(page, /<job>/);
  });

  it('says that there is nothing', () => {
    assert.match(foundPage({ ...LOOKUP, places: [] }), /Nothing was found/);
    assert.doesNotMatch(foundPage({ ...LOOKUP, places: [] }), /data-answer/);
  });
});

describe('finding in a folder', () => {
  let folder: string;
  let panel: Panel;
  let opened: unknown[];
  const own = { ...window };

  beforeEach(() => {
    fake.reset();
    folder = temporaryFolder('find-page-');
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/queue.ts'), 'export function limitOf(queue) {\n  return queue.limit > 3;\n}\n');
    workspace.workspaceFolders = [{ name: 'code', uri: { ...vscode.Uri.file(folder), scheme: 'file' } }];
    panel = new Panel();
    opened = [];
    Object.assign(window, {
      createWebviewPanel: (_type: string, _title: string, column: number) => Object.assign(panel, { column }),
      showInputBox: async () => 'Which limit does a queue have?',
      showTextDocument: async (...args: unknown[]) => void opened.push(args),
    });
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
    Object.assign(window, own);
  });

  const noModels = async (): Promise<never> => assert.fail('no model is wanted');

  it('says at once that it is looking, shows the place, and opens its line beside, and no file elsewhere', async () => {
    vscode.drawInFront();
    const finding = findInFolder(noModels, fakeMemento());
    await finding;
    assert.equal((panel as { column?: number }).column, -2, 'never over a drawing');
    assert.match(panel.pages[0] ?? '', /Looking in code/);
    assert.match(panel.pages.at(-1) ?? '', /data-open="src\/queue\.ts"/);
    panel.said.fire({ open: 'src/queue.ts', line: 2 });
    panel.said.fire({ open: '../other.ts', line: 2 });
    panel.said.fire({ open: 'src/queue.ts', line: 'x' });
    assert.equal(opened.length, 1);
    assert.match(panel.pages.at(-1) ?? '', /You see its price before it is asked/);
    const [[uri]] = opened as [[{ fsPath: string }]];
    assert.equal(uri.fsPath, join(folder, 'src/queue.ts'));
  });

  it('says what an answer of the usual model costs beside the button', async () => {
    Object.assign(fake.settings, {
      'thoughtTree.model': 'x/<y>',
      'thoughtTree.prices': { 'x/<y>': { prompt: 3, cached: 1, completion: 15 } },
    });
    await findInFolder(noModels, fakeMemento());
    assert.match(
      panel.pages.at(-1) ?? '',
      /<span class="dim">x\/&lt;y&gt;, about \$0\.02\d*\. You are asked before\.<\/span>/,
    );
  });

  it('keeps what was typed through Escape, until there is a page for it', async () => {
    const memory = fakeMemento();
    const given: unknown[] = [];
    const typing = (text: string, answer?: string) =>
      Object.assign(window, {
        showInputBox: async ({ value, validateInput }: { value: string; validateInput(typed: string): unknown }) => {
          given.push(value);
          validateInput(text);
          return answer;
        },
      });
    typing('Which limit');
    await findInFolder(noModels, memory);
    assert.deepEqual(panel.pages, []);
    typing('Which limit does a queue have?', 'Which limit does a queue have?');
    await findInFolder(noModels, memory);
    typing('');
    await findInFolder(noModels, memory);
    assert.deepEqual(given, ['', 'Which limit', '']);
  });

  it('says first that what it shows may not be the answer, where most of the question is in no file', () => {
    const page = foundPage({ ...LOOKUP, missing: ['kolibri'], isNear: true });
    assert.match(page, /In no file: kolibri\.<\/p>\s*<p[^>]*>The answer may well not be here: [^<]*<\/p>\s*<section/);
    assert.doesNotMatch(foundPage(LOOKUP), /may well not be here/);
  });

  it('asks a model only once its price was agreed to, and shows the answer with links', async () => {
    const asked: ModelRequest[] = [];
    const model = {
      name: 'x/y',
      label: 'Y',
      free: false,
      price: { prompt: 3, cached: 1, completion: 15 },
      generate: async (request: ModelRequest) => {
        asked.push(request);
        return {
          text: 'More than <3> (src/queue.ts:2).',
          finish: 'stop',
          usage: { prompt: 100, cached: 0, completion: 10 },
        };
      },
    } as unknown as Model;
    const chooser = { chooseAt: async () => 'x/y' };
    await findInFolder(async () => ({ chooser, opener: { open: async () => model } }), fakeMemento());
    fake.answer = () => undefined;
    panel.said.fire({ answer: true });
    await until(() => fake.messages.length === 1);
    assert.match(fake.messages[0] ?? '', /Let Y answer from these lines\?/);
    assert.match(fake.detail ?? '', /^About \d+ tokens are sent to it\. It costs \$0\.0\d+ at most\.$/);
    await until(() => true);
    assert.equal(asked.length, 0);
    fake.answer = () => 'Ask It';
    panel.said.fire({ answer: true });
    await until(() => /x00|\$0\.0/.test(panel.pages.at(-1) ?? ''));
    assert.match(asked[0]?.prompt ?? '', /<lines path="src\/queue\.ts">\n1 {2}export function limitOf/);
    assert.match(
      panel.pages.at(-1) ?? '',
      /More than &lt;3&gt; \(<a href="#" data-open="src\/queue\.ts" data-line="2">/,
    );
  });
});

/** Waits until something holds, however long that takes, and for some turns in any case. */
async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20 || !holds(); turn++) await sleep(turn < 20 ? 0 : 5);
}
