import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { quoted, resumeCommand, withLimits } from '../../../src/cli/options/resume-command.ts';
import { isThoughtTreeError } from '../../../src/core/search/errors.ts';
import { SearchRecord } from '../../../src/core/search/record/search-record.ts';
import type { SearchFile } from '../../../src/core/search/search-file.ts';
import { chooseModels } from '../../../src/searches/models/choose-model.ts';
import { folderInWorkspace, placeFor, titleFrom } from '../../../src/searches/place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the title of a question', () => {
  const titles: [string, string][] = [
    ['Why is the build slow?', 'Why is the build slow?'],
    ['Why is it slow? Look at v1.2 first.', 'Why is it slow?'],
    ['Explain v1.2.3 of the parser. Then stop.', 'Explain v1.2.3 of the parser'],
    ['\n\n  Look here\nand there', 'Look here'],
    ['为什么构建这么慢？请看缓存。', '为什么构建这么慢？'],
    ['\u001b[31mRed\u202e?', '[31mRed ?'],
    ['…', '…'],
    ['\u200b', 'Search'],
    ['x'.repeat(200), `${'x'.repeat(79)}…`],
  ];
  for (const [prompt, title] of titles)
    it(`of ${JSON.stringify(prompt.slice(0, 40))} is its first sentence`, () => assert.equal(titleFrom(prompt), title));
});

describe('the place of a search', () => {
  const workspace = resolve('/w');

  it('is made from its title, whatever it is', () => {
    const at = (title: string): string => placeFor(workspace, title, undefined).folder;
    assert.equal(at('Why is the build slow?'), join(workspace, 'thought-trees', 'why-is-the-build-slow'));
    assert.equal(at('../../etc/passwd'), join(workspace, 'thought-trees', 'etc-passwd'));
    assert.equal(at('CON'), join(workspace, 'thought-trees', 'con-2'));
    assert.equal(at('???'), join(workspace, 'thought-trees', 'node'));
  });

  it('is never the folder that is searched, nor one around it', () => {
    for (const dir of ['/w', '/', '/w/.', '/w/x/..'])
      assert.throws(
        () => placeFor(workspace, 'T', dir),
        (error) => isThoughtTreeError(error, 'bad-input'),
      );
    for (const dir of ['/w/x', '/w2', '/other', '/w/..x'])
      assert.equal(placeFor(workspace, 'T', dir).folder, resolve(dir));
    assert.equal(folderInWorkspace(placeFor(workspace, 'T', '/other/x')), '../other/x');
  });
});

describe('the place of a new search where the folder of searches is a link', () => {
  it('is not behind the link, unless somebody names it', () => {
    const workspace = temporaryFolder('linked');
    const elsewhere = temporaryFolder('elsewhere');
    symlinkSync(elsewhere, join(workspace, 'thought-trees'), 'junction');
    assert.throws(
      () => placeFor(workspace, 'Why?', undefined),
      (error) => isThoughtTreeError(error, 'bad-input') && /is a link to another folder/.test(error.message),
    );
    const named = join(workspace, 'thought-trees', 'why');
    assert.equal(placeFor(workspace, 'Why?', named).folder, named);
  });
});

describe('the command that resumes', () => {
  const workspace = process.cwd();
  const folder = join(workspace, 'thought-trees', 'why');

  it('is short if the search is found by its place', () => {
    assert.equal(resumeCommand({ workspace, folder }, {}), `thought-tree resume ${join('thought-trees', 'why')}`);
  });

  it('follows the slots of a fleet again, whose address it names without its password', () => {
    const flags = { queue: 'postgres://me:secret@db/tree', concurrency: 'fleet' } as const;
    const words = / --queue postgres:\/\/me@db\/tree --concurrency fleet$/;
    assert.match(resumeCommand({ workspace, folder }, flags), words);
    const unremembered = { model: 'a/model', concurrency: 'fleet' } as const;
    const command = resumeCommand({ workspace, folder }, { ...flags, unremembered });
    assert.equal(command.match(/--concurrency fleet/g)?.length, 1);
    assert.doesNotMatch(resumeCommand({ workspace, folder }, { concurrency: 8 }), /concurrency/);
  });

  it('names what it needs again, quoted for the shell', () => {
    const place = { workspace: resolve('/my work'), folder: resolve("/it's/here") };
    const command = resumeCommand(place, { baseUrl: 'http://127.0.0.1:1/v1' }, '--max-calls', '8');
    if (process.platform !== 'win32')
      assert.equal(
        command,
        "thought-tree resume '/it'\\''s/here' --folder '/my work' --base-url http://127.0.0.1:1/v1 --max-calls 8",
      );
    const allowing = resumeCommand(place, { allowFile: ['.env.example', 'a b.py'] });
    if (process.platform !== 'win32') assert.match(allowing, / --allow-file \.env\.example --allow-file 'a b\.py'$/);
    assert.equal(quoted('$(rm -rf /)', 'linux'), "'$(rm -rf /)'");
    assert.equal(quoted('C:\\a b', 'win32'), '"C:\\a b"');
  });
});

describe('the command that resumes, where nothing can be remembered', () => {
  it('names the models, and what the run was allowed', () => {
    const place = { workspace: process.cwd(), folder: join(process.cwd(), 'thought-trees', 'why') };
    const unremembered = { model: 'a/model', judge: 'b/judge', size: 'large', tools: true, context: false } as const;
    assert.match(
      resumeCommand(place, { unremembered }, '--max-usd', '4'),
      / --model a\/model --judge b\/judge --size large --tools --no-context --max-usd 4$/,
    );
    assert.match(resumeCommand(place, { unremembered }, '--size', 'all'), / --tools --no-context --size all$/);
    assert.match(resumeCommand(place, { unremembered: { model: 'a/model', read: 'quotes' } }), / --read quotes$/);
  });
});

describe('the command that resumes, and money', () => {
  const workspace = process.cwd();
  const place = { workspace, folder: join(workspace, 'thought-trees', 'why') };
  const price = {
    own: { prompt: 20, cached: 2, completion: 100 },
    of: { 'a/b': { prompt: 1, cached: 1, completion: 2 } },
  };

  it('keeps every price and limit of the run, so that no limit is lost by copying it', () => {
    const flags = {
      price,
      judgePrice: { prompt: 1, cached: 0.1, completion: 5 },
      askAbove: 0.5,
      maxCalls: 30,
      maxTokens: 40_000,
      maxUsd: 2,
      maxMinutes: 5,
      thinking: 8000,
      timeout: 60,
    };
    assert.match(
      resumeCommand(place, flags, '--max-usd', '4'),
      / --price 20,2,100 --price a\/b=1,1,2 --judge-price 1,0\.1,5 --ask-above 0\.5 --max-calls 30 --max-tokens 40000 --max-minutes 5 --thinking 8000 --timeout 60 --max-usd 4$/,
    );
  });

  it('names the limits in force, where somebody changed them during the run', () => {
    const flags = withLimits({ price, maxUsd: 2, maxMinutes: 5 }, { usd: 10, minutes: 5, calls: 1000 });
    assert.match(resumeCommand(place, flags), / --price 20,2,100 --price a\/b=1,1,2 --max-usd 10 --max-minutes 5$/);
  });
});

describe('the model of an existing search', () => {
  const file: SearchFile = { version: 1, kind: 'research', title: 'T', prompt: 'P', options: {} };
  const limits = { size: 'all', maxDepth: 4, guards: {} } as const;
  const record = SearchRecord.of([
    { seq: 1, time: '2026-01-01T00:00:00Z', type: 'search-started', model: 'a/first', limits },
    { seq: 2, time: '2026-01-01T00:00:01Z', type: 'search-resumed', model: 'a/last', limits },
    { seq: 3, time: '2026-01-01T00:00:02Z', type: 'search-running' },
  ]);
  const none = new SearchRecord();

  const unknown = { here: undefined };
  const used = { here: { version: 1, path: '/w', model: 'a/mine', judge: 'a/judge' } } as const;
  const judged = SearchRecord.of([
    { seq: 1, time: '', type: 'search-started', model: 'workspace/quotes', judge: 'a/dear', limits },
  ]);

  it('is the one named now, else the last one that this person used here', () => {
    const named = chooseModels({ model: 'a/b' }, unknown, record, file);
    assert.deepEqual(named, { name: 'a/b', judge: undefined, trusted: true });
    const mine = { name: 'a/mine', judge: 'a/judge', trusted: true };
    assert.deepEqual(chooseModels({}, used, record, { ...file, model: 'a/x' }), mine);
    assert.deepEqual(chooseModels({ judge: 'a/c' }, used, record, file), { ...mine, judge: 'a/c' });
  });

  it('is asked about where only the folder names it, in its journal or in search.json', () => {
    const brought = chooseModels({}, unknown, record, { ...file, model: 'a/x' });
    assert.deepEqual(brought, { name: 'a/last', judge: undefined, trusted: false });
    assert.equal(chooseModels({}, unknown, none, { ...file, model: 'a/x' }).trusted, false);
    assert.equal(chooseModels({}, unknown, none, { ...file, model: 'replay/rec.jsonl' }).trusted, false);
  });

  it('is the free one, without a question, where nothing is named', () => {
    assert.deepEqual(chooseModels({}, unknown, none, file), {
      name: 'workspace/quotes',
      judge: undefined,
      trusted: true,
    });
    assert.ok(chooseModels({}, unknown, none, { ...file, model: 'workspace/quotes' }).trusted);
  });

  it('brings no judge along: that is asked about, or left out where a model is named', () => {
    assert.equal(chooseModels({}, unknown, judged, file).trusted, false);
    assert.equal(chooseModels({}, unknown, judged, file).judge, 'a/dear');
    assert.equal(chooseModels({ model: 'a/b' }, unknown, judged, file).judge, undefined);
    assert.ok(chooseModels({ judge: 'a/dear' }, unknown, judged, file).trusted);
  });
});
