import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hideSecrets } from '../../../../src/text/secrets/hide-secrets.ts';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { SecretValues } from '../../../fixtures/secrets/secret-values.ts';
import { effort } from '../../../support/effort.ts';
import { growsLinearly } from '../../../support/grows-linearly.ts';
import { FORMS, plantedFiles } from '../../../support/secret-corpus.ts';

const HIDDEN = '[secret left out]';

describe('secrets in a text', () => {
  const values = new SecretValues(5);

  it('finds the value of a cluster\u2019s secret where its name contains the same text', async () => {
    const { text } = await hideSecrets('a.yaml', 'kind: Secret\nstringData:\n  harvest-plum: plum\n');
    assert.equal(text, 'kind: Secret\nstringData:\n  harvest-plum: [secret left out]\n');
  });

  it('are not what an answer cites, nor what code passes on, beside words such as token', async () => {
    for (const text of [
      'The Trio token: `trio/_threads.py:171-173`, as `lib/token.js:12` says.',
      '283\t\n284\t    def callback(token, args):\n285\t        @disable_ki_protection\n286\t        call(token, *args)\n',
      '143\t        pass\n144\t\n188\t        issue=1104,\n189\t        width=80,\n',
    ])
      assert.equal((await hideSecrets('request.md', text)).text, text);
  });

  it('are found in a table whose lines have their numbers before them', async () => {
    const secret = values.password();
    const { text } = await hideSecrets('request.md', `7\tname\tpassword\n8\tsales\t${secret}\n`);
    assert.equal(text, '7\tname\tpassword\n8\tsales\t[secret left out]\n');
  });

  it('give way to a note, and nothing else changes', async () => {
    const [one, two] = [values.alnum(40), values.password()];
    const text = `import os\n\ntoken = "${one}"  # mine\nname = "shop"\npassword = "${two}"\n`;
    const { text: hidden, secrets } = await hideSecrets('a.py', text);
    assert.equal(hidden, `import os\n\ntoken = "${HIDDEN}"  # mine\nname = "shop"\npassword = "${HIDDEN}"\n`);
    assert.equal(secrets, 2);
  });

  it('keep their lines, and so do keys of many lines, which count as one', async () => {
    const kind = 'PRIVATE KEY';
    const rows = [values.base64(48), values.base64(48), values.base64(9)];
    for (const end of ['\n', '\r\n']) {
      const text = ['first', `-----BEGIN ${kind}-----`, ...rows, `-----END ${kind}-----`, 'last'].join(end);
      const { text: hidden, secrets } = await hideSecrets('a.txt', text);
      const own = ['first', `-----BEGIN ${kind}-----`, HIDDEN, HIDDEN, HIDDEN, `-----END ${kind}-----`, 'last'];
      assert.deepEqual([hidden, secrets], [own.join(end), 1]);
    }
  });

  it('keep as many lines as there were, in every form, and none is found in what is left', async () => {
    for (const { path, text } of [...plantedFiles('known', 1, 3), ...plantedFiles('other', 1, 3)]) {
      const { text: hidden } = await hideSecrets(path, text);
      assert.equal(hidden.split('\n').length, text.split('\n').length, path);
      assert.equal((await hideSecrets(path, hidden)).text, hidden, path);
    }
  });

  it('are found by a file’s own words in nothing: it cannot say that it may be read', async () => {
    const secret = `ghp_${values.alnum(36)}`;
    for (const words of ['secretlint-disable', 'gitleaks:allow', 'pragma: allowlist secret', 'nosec']) {
      const { text } = await hideSecrets('a.js', `// ${words}\nconst a = '${secret}'; // ${words}\n/* ${words} */\n`);
      assert.ok(!text.includes(secret), words);
    }
  });

  it('are shown in a file that this person allows, and in no other', async () => {
    const text = `password = "${values.password()}"\n`;
    const filter = new SecretFilter('/home/me/project', ['a.py', '.github']);
    assert.deepEqual(await filter.hide('a.py', text), { text, secrets: 0 });
    assert.equal((await filter.hide('b/a.py', text)).secrets, 1);
    assert.equal((await filter.hide('.github/a.py', text)).secrets, 1);
  });

  it('never change how many lines a text has, whatever it is', async () => {
    const word = fc.constantFrom(
      ...[
        'password',
        'token',
        '=',
        ':',
        '"',
        "'",
        '\n',
        '\r\n',
        ' ',
        '-----BEGIN PRIVATE KEY-----',
        '://',
        '@',
        '|',
        '\\',
      ],
      ...[
        'kind: Secret',
        'data:',
        '$2b$12$',
        '{SSHA}',
        'Zq7xT9vLmWc3RkPd8',
        'ghp_',
        'a',
        '(',
        ')',
        ',',
        '<',
        '>',
        '日本',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 60 }), async (words) => {
        const text = words.join('');
        const { text: hidden, secrets } = await hideSecrets('a.yml', text);
        assert.equal(hidden.split(/\r\n|\n|\r/).length, text.split(/\r\n|\n|\r/).length);
        assert.equal(secrets === 0, hidden === text);
      }),
      { numRuns: effort(1500) },
    );
  });

  it('are looked for in a time in proportion to a text, however it is made to be slow', async () => {
    // Half a megabyte is the most that is read of a file.
    const size = effort(500_000, 100_000);
    const pieces = [
      ...[
        'password',
        'password=',
        'password: "',
        'token ',
        'a=b&',
        '://a:b',
        '-----BEGIN PRIVATE KEY-----',
        'xoxb-',
        'ghs_1_',
      ],
      ...[
        'eyJ',
        'eyJ-',
        'sk-',
        'mongodb://',
        'a_',
        'aA1',
        '"',
        "'",
        '\\"',
        '|',
        'pass|word\n',
        'value="',
        '$2b$',
        '{SSHA}',
        ' is the ',
      ],
      ...[
        'mysql -p',
        '-u a:',
        'net use ',
        'https://',
        '-----BEGIN ',
        'name: ',
        'kind: Secret\ndata:\n',
        'aws_secret_access_key ',
      ],
      ...['_authToken=', '//r/:_authToken=', 'Private-Lines: 1\n', '<password>b:c@', 'ghs_1_password='],
      ...['MTAw', 'MTAw.', 'seed phrase: ', 'phrase maple ', 'b3BlbnNzaC1rZXktdjE', 'ENV PASS '],
    ];
    for (const piece of pieces) {
      const made = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      await growsLinearly(JSON.stringify(piece), size, made, (text) => hideSecrets('a.txt', text));
    }
  }).timeout(600_000);

  it('are planted in at least 400 ways', () => {
    assert.ok(Object.values(FORMS).flat().length >= 400);
  });
});
