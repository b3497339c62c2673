import assert from 'node:assert/strict';
import { SecretFilter } from '../../../../src/text/secrets/secret-filter.ts';
import { SECRET_NAMES } from '../../../support/secret-corpus.ts';

describe('files that are left out for their names', () => {
  const filter = new SecretFilter('/home/ada/shop');

  for (const path of SECRET_NAMES) it(path, () => assert.ok(filter.leavesOut(path)));

  it('are no documents and no programs, whatever they are about', () => {
    const read = `src/secrets.ts lib/password.js docs/secrets.md src/api-keys.ts src/token.ts tokens.json design-tokens.json
      src/keyboard.json src/history.ts Makefile Dockerfile package.json tsconfig.json .gitignore .editorconfig .prettierrc
      src/environment.ts vite-env.d.ts env.d.ts src/env.ts config/settings.yml public/robots.txt keymap.json monkey.txt
      .github/workflows/ci.yml .vscode/settings.json app/.circleci/config.yml appsettings.json src/kube/config.ts schema.sql
      src/auth/login.py test/credentials.test.ts secret-santa.md tests/password_reset.rb keys.md locale/keys.json`;
    for (const path of read.trim().split(/\s+/)) assert.equal(filter.leavesOut(path), false, path);
  });

  it('and dot folders are read where this person allows them, by a path in the workspace or a whole one', () => {
    const allowing = new SecretFilter('/home/ada/shop', [
      '.env.example',
      './.config',
      '/home/ada/shop/config/secrets.yml',
    ]);
    for (const path of ['.env.example', '.config/app/main.yml', 'config/secrets.yml'])
      assert.equal(allowing.leavesOut(path), false, path);
    for (const path of ['.env', '.config/.cache/x.txt', '.config/secrets.json', '.aws/config', 'secrets.yml'])
      assert.ok(allowing.leavesOut(path), path);
    assert.ok(allowing.isKept('.github/workflows/ci.yml'), 'but not to be changed');
    assert.equal(allowing.isKept('.config/app/main.yml'), false);
    assert.ok(new SecretFilter('/home/ada/shop', ['..', '.', '/home/ada']).leavesOut('.aws/config'));
  });
});
