import './use-fake-vscode.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { faultsOf, manifestTexts, missingIn, type Texts } from '../../../scripts/texts.ts';
import { kept } from '../../../src/core/messages/message.ts';
import { ThoughtTreeError } from '../../../src/core/search/errors.ts';
import { failedInARow, limitOfCalls } from '../../../src/engine/messages.ts';
import type { ActionCommands } from '../../../src/extension/actions/action-commands.ts';
import type { RunEnd } from '../../../src/extension/library/run-request.ts';
import type { SearchRunner } from '../../../src/extension/library/search-runner.ts';
import { pageWords } from '../../../src/extension/panel/page-words.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { cannotWrite, diskFull, noFolder } from '../../../src/store/messages.ts';
import { toyLanguage } from '../../support/toy-language.ts';
import { EventEmitter, env, fake, l10n } from './fake-vscode.ts';
import { available } from './sidebar/available.ts';
import { sampleSearch, settled } from './sidebar/sample.ts';

const { tellError } = await import('../../../src/extension/tell-error.ts');
const { EndNotices } = await import('../../../src/extension/acting/end-notices.ts');
const { keptText } = await import('../../../src/extension/message-text.ts');

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOG = { error: () => undefined } as unknown as LogOutputChannel;

describe('an editor in another language', () => {
  let toy: Readonly<Record<string, string>>;
  before(async () => {
    toy = await toyLanguage(ROOT);
  });
  beforeEach(() => {
    fake.reset();
    l10n.bundle = toy;
    env.language = 'de';
  });
  after(() => fake.reset());

  it('needs one file, which has all texts, those of the manifest too', () => {
    const english = JSON.parse(readFileSync(`${ROOT}l10n/bundle.l10n.json`, 'utf8')) as Texts;
    assert.deepEqual(faultsOf(toy, english), []);
    assert.deepEqual(missingIn('de', toy, english), []);
    assert.equal(manifestTexts(toy)['command.pause'], '‹Pause›');
  });

  it('shows errors of the engine in it, including nested messages', () => {
    const why = cannotWrite({ file: '/a/b', why: diskFull() });
    tellError(new ThoughtTreeError('disk-full', why), LOG);
    assert.deepEqual(fake.messages, [
      '‹Cannot write /a/b: ‹the disk is full. Free some space, then resume the search.››',
    ]);
  });

  it('shows the end of a search in it, with numbers in the format of the language', async () => {
    const runs = new EventEmitter<RunEnd>();
    const library = { search: () => undefined };
    const changes = { offer: async () => undefined };
    const isDrawn = () => false;
    const others = { actions: {} as ActionCommands, available, log: LOG, kinds: KINDS, library, changes, isDrawn };
    new EndNotices({ runner: { onDidEnd: runs.event } as unknown as SearchRunner, ...others });
    const { results } = sampleSearch() as unknown as { results: never };
    const end = { state: 'paused', reason: 'budget', cause: 'calls', ...kept(limitOfCalls({ limit: 1000 })), results };
    runs.fire({ place: { folder: '/w/a' }, title: 'Why?', kind: 'research', outcome: end } as unknown as RunEnd);
    await settled();
    assert.match(fake.messages.join('\n'), /^‹"Why\?" has reached its budget\. ‹One more call .* of 1\.000 calls\.››/);
  });

  it('says in English what the language lacks, within its own sentences too, and in the panel', () => {
    const { 'store.disk-full': _, ...most } = toy;
    l10n.bundle = most;
    tellError(new ThoughtTreeError('disk-full', cannotWrite({ file: '/a/b', why: diskFull() })), LOG);
    assert.deepEqual(fake.messages, [
      '‹Cannot write /a/b: the disk is full. Free some space, then resume the search.›',
    ]);
    const { 'node.status.leaf': __, ...others } = toy;
    const words = pageWords(others);
    assert.deepEqual([words['node.status.leaf'], words['node.status.failed']], ['leaf', '‹failed›']);
  });

  for (const [language, said] of [
    ['zh-cn', /^无法写入 \/a\/b.*磁盘.*$/],
    ['ja', /\/a\/b .*ディスク/],
  ] as const)
    it(`comes with ${language}`, () => {
      env.language = language;
      l10n.bundle = JSON.parse(readFileSync(`${ROOT}l10n/bundle.l10n.${language}.json`, 'utf8')) as Texts;
      tellError(new ThoughtTreeError('disk-full', cannotWrite({ file: '/a/b', why: diskFull() })), LOG);
      assert.match(fake.messages[0] ?? '', said);
      const texts = JSON.parse(readFileSync(`${ROOT}package.nls.${language}.json`, 'utf8')) as Texts;
      assert.doesNotMatch(texts['command.start'] ?? 'Start', /[a-z]/);
      assert.match(texts['welcome.empty'] ?? '', /\(command:thoughtTree\.start\)/);
    });

  it('shows the English text of messages without data, and of unknown ones', () => {
    assert.equal(keptText('The disk is full.', undefined), 'The disk is full.');
    assert.equal(keptText('It is new.', { key: 'store.of-next-year', args: {} }), 'It is new.');
    assert.equal(keptText('Torn.', { key: 'store.no-folder', args: {} }), 'Torn.');
    assert.equal(keptText('x', kept(noFolder({ folder: '/a' })).say), '‹There is no folder /a.›');
    const last = noFolder({ folder: '/a' });
    const inRow = kept(failedInARow({ nodes: 5, last }));
    assert.match(keptText(inRow.message, inRow.say), /^‹5 nodes .* The last one: ‹There is no folder \/a\.››$/);
  });
});
