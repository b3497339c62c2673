import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { translationFor } from '../../../../src/cli/terminal/translation.ts';

describe('the language of the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'thought-tree-l10n-'));
  const url = pathToFileURL(`${folder}/`);
  for (const tag of ['de', 'zh-cn'])
    writeFileSync(join(folder, `bundle.l10n.${tag}.json`), JSON.stringify({ is: tag }));
  writeFileSync(join(folder, 'bundle.l10n.fr.json'), '{');
  after(() => rmSync(folder, { recursive: true }));
  const tagFor = (env: NodeJS.ProcessEnv): string | undefined => translationFor(env, url)?.texts['is'];

  it('is the one that the environment names, if the program has it', () => {
    assert.equal(tagFor({ LANG: 'de_AT.UTF-8' }), 'de');
    assert.equal(tagFor({ LC_ALL: 'zh_CN', LANG: 'de' }), 'zh-cn');
    assert.equal(tagFor({ LC_MESSAGES: 'de@euro', LANG: 'zh_CN' }), 'de');
    assert.equal(translationFor({ LANG: 'de_AT.UTF-8' }, url)?.language, 'de');
  });

  it('is English otherwise, even if the file of a language is damaged', () => {
    for (const LANG of ['', 'C', 'C.UTF-8', 'POSIX', 'en_US.UTF-8', 'zh_TW', 'fr', '../de', 'de/../de'])
      assert.equal(translationFor({ LANG }, url), undefined, LANG);
    assert.equal(translationFor({}, url), undefined);
  });
});
