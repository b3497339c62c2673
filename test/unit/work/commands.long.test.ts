import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LONGEST_OUTPUT } from '../../../src/core/ports/workshop.ts';
import { shownLine } from '../../../src/work/shown.ts';
import { never, ran, repository } from '../../support/work/work-place.ts';

describe('a command in a checkout', () => {
  it('runs only if a person agreed to exactly its line', async () => {
    const place = repository();
    const asked: (readonly string[])[] = [];
    const consent = {
      isAllowed: (line: string) => line === 'echo known',
      ask: async (lines: readonly string[]) => asked.push(lines) < 1,
    };
    const workshop = await place.begun({ consent });
    const checkout = await workshop.checkout('A1', never);
    const run = (line: string) => checkout.run({ line, rights: 'write', timeoutMs: 100_000 }, never);
    assert.equal((await run('echo known')).output, 'known\n');
    for (const line of ['echo known ', 'echo  known', 'echo known; touch x', ''])
      await assert.rejects(run(line), { reason: 'declined', message: /--allow-commands/ });
    await workshop.consent(['echo known'], never);
    assert.deepEqual(asked, [], 'nothing new to ask about');
    await assert.rejects(workshop.consent(['echo known', 'rm -rf \u202e/', 'rm -rf \u202e/'], never), {
      reason: 'declined',
      message: /rm -rf \\u\{202e\}\//,
    });
    assert.deepEqual(asked, [['rm -rf \u202e/']]);
  });

  it('tells how it ended, the end of its output without what a terminal obeys, and a hash of all of it', async () => {
    const place = repository();
    const redact = async (text: string): Promise<string> => text.replaceAll('hunter2', '[key]');
    const workshop = await place.begun({ redact });
    const checkout = await workshop.checkout('A1', never);
    const one = await ran(
      workshop,
      checkout,
      String.raw`printf '\033[31mred\033[0m \033]0;title\007\r\nhunter2 \342\200\256x\n' >&2; exit 3`,
    );
    assert.equal(one.exitCode, 3);
    assert.equal(one.stopped, undefined);
    assert.match(one.output, /^red \n\[key\] {1,2}x\n$/);
    const long = 'seq 1 20000; printf "\\303\\244"';
    const [two, again] = [await ran(workshop, checkout, long), await ran(workshop, checkout, long)];
    assert.equal(two.output.length, LONGEST_OUTPUT);
    assert.ok(two.output.endsWith('19999\n20000\nä'));
    assert.equal(two.outputHash, again.outputHash);
    assert.notEqual(two.outputHash, one.outputHash);
  });

  it('has no keys, no variables of other programs, and a home of its own', async () => {
    const place = repository();
    const names = [
      'OPENAI_API_KEY',
      'NPM_TOKEN',
      'GIT_DIR',
      'NODE_OPTIONS',
      'SSH_AUTH_SOCK',
      'THOUGHT_TREE_X',
      'PLAIN_X',
    ];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'NODE_OPTIONS' ? '' : 'value-of-it';
    try {
      const workshop = await place.begun();
      const checkout = await workshop.checkout('A1', never);
      const { output } = await ran(workshop, checkout, 'env; echo "$HOME"; touch "$HOME/x" "$TMPDIR/y"');
      for (const name of names) assert.equal(output.includes(`${name}=`), name === 'PLAIN_X', name);
      assert.ok(!output.includes(`HOME=${homedir()}\n`));
      assert.match(output, new RegExp(`THOUGHT_TREE_WORKSPACE=${place.workspace}\n`));
      assert.equal((await ran(workshop, checkout, 'ls "$HOME" "$TMPDIR"')).output.match(/\bx\b/g)?.length, 1);
    } finally {
      for (const [i, name] of names.entries())
        if (before[i] === undefined) delete process.env[name];
        else process.env[name] = before[i];
    }
  });

  it('sees no password that an address holds, and no token by another name', async () => {
    const given = {
      DATABASE_URL: 'postgres://me:hunter2@db/x',
      https_proxy: 'http://me:hunter2@proxy:80',
      GITHUB_PAT: 'hunter2',
      MYSQL_PWD: 'hunter2',
      SENTRY_DSN: 'hunter2',
      PLAIN_URL: 'https://example.org:80/a',
      PATTERN_X: 'a',
    };
    const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, given);
    try {
      const workshop = await repository().begun();
      const { output } = await ran(workshop, await workshop.checkout('A1', never), 'env');
      assert.doesNotMatch(output, /hunter2/);
      assert.match(output, /^PLAIN_URL=/m);
      assert.match(output, /^PATTERN_X=/m);
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  it('leaves nothing of what it writes where it may only read', async () => {
    const place = repository();
    const workshop = await place.begun();
    const checkout = await workshop.checkout('A1', never);
    const line = 'echo x > new.txt && echo y >> a.txt && rm .gitignore && mkdir out && pwd && echo z > "$HOME/z" && ls';
    await workshop.consent([line, 'ls -A . "$HOME"'], never);
    const { exitCode, output } = await checkout.run({ line, rights: 'read', timeoutMs: 100_000 }, never);
    assert.equal(exitCode, 0, output);
    assert.match(output, /a\.txt\nnew\.txt\nout\n$/);
    assert.equal(await checkout.commit('nothing'), undefined);
    const after = await checkout.run({ line: 'ls -A . "$HOME"', rights: 'read', timeoutMs: 100_000 }, never);
    assert.match(after.output, /^\.:\n\.git\n\.gitignore\na\.txt\n\n.*home:\n$/);
  });

  it('prepares each checkout; what git would take of it is undone', async () => {
    const place = repository();
    const setUp = 'mkdir out && echo made > out/x && echo bad >> a.txt && echo bad > new.txt';
    const workshop = await place.open();
    await workshop.begin({ withUncommitted: false, setUp }, never);
    await assert.rejects(workshop.checkout('A1', never), { reason: 'declined' });
    assert.equal(await workshop.hasCheckout('A1'), false);
    await workshop.consent([setUp], never);
    const checkout = await workshop.checkout('A1', never);
    assert.equal(readFileSync(join(checkout.folder, 'out/x'), 'utf8'), 'made\n');
    assert.equal(readFileSync(join(checkout.folder, 'a.txt'), 'utf8'), 'one\n');
    assert.equal(await checkout.commit('nothing'), undefined);
    const failing = repository();
    const other = await failing.open();
    await other.consent(['echo no such thing; exit 7'], never);
    await other.begin({ withUncommitted: false, setUp: 'echo no such thing; exit 7' }, never);
    await assert.rejects(other.checkout('A1', never), { reason: 'bad-input', message: /exit code 7.*no such thing/ });
    assert.equal(await other.hasCheckout('A1'), false);
  });
});

describe('a command line as a person sees it', () => {
  it('shows everything that an eye or a terminal would not', () => {
    assert.equal(shownLine('npm test && echo "ü 漢"'), 'npm test && echo "ü 漢"');
    assert.equal(
      shownLine('a\u001b[2K\u202eb\u200bc\td\ne\u00a0f\ufe0f'),
      'a\\u{1b}[2K\\u{202e}b\\u{200b}c\\u{9}d\\u{a}e\\u{a0}f\\u{fe0f}',
    );
    // Letters that are drawn as nothing: fillers of Hangul, a joiner, an empty pattern of Braille.
    assert.equal(shownLine('a\u3164b\u115fc\u034fd\u2800e'), 'a\\u{3164}b\\u{115f}c\\u{34f}d\\u{2800}e');
  });
});
