import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hideSecrets } from '../../../../src/text/secrets/hide-secrets.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Every place of these packages that is held back; UPDATE=1 writes it. */
const HELD_BACK = join(ROOT, 'test/fixtures/secrets/held-back.txt');
/** Packages as they are published, of libraries that this project needs anyhow: none has files for one system only. */
const PACKAGES = `
  @ai-sdk/anthropic @ai-sdk/google @ai-sdk/openai @ai-sdk/openai-compatible @ai-sdk/provider-utils @azure/core-auth
  @azure/core-client @azure/core-rest-pipeline @azure/identity @azure/msal-browser @azure/msal-common @azure/msal-node
  @napi-rs/keyring @types/node @typespec/ts-http-runtime axe-core azure-devops-node-api cockatiel commander diff dompurify
  fast-check globby jszip jwa jws knip markdown-it minisearch mocha pako parse5 preact pure-rand readable-stream semver
  smol-toml underscore undici-types workerpool yaml zod`
  .trim()
  .split(/\s+/);
/** What looks like a secret, and may be anything: hashes, ids, keys of tests, values of names like password. */
const LOOK_ALIKE =
  /[0-9a-f]{32}|[A-Za-z0-9+/]{40}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|[sp]k_test|BEGIN [A-Z ]{0,40}KEY|(?:password|token|secret|api_?key)["']?\s{0,4}[:=]\s{0,4}["'][^"'\s]/i;

interface File {
  readonly path: string;
  readonly text: string;
}

function textsBelow(folder: string): File[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : textsBelow(file);
    if (!entry.isFile() || /\.(?:map|wasm|node)$/.test(entry.name) || statSync(file).size > 256 * 1024) return [];
    const bytes = readFileSync(file);
    if (bytes.length === 0 || bytes.includes(0)) return [];
    return [{ path: relative(join(ROOT, 'node_modules'), file).replaceAll('\\', '/'), text: bytes.toString('utf8') }];
  });
}

describe('what looks like a secret in packages as they are published', () => {
  it('is shown, in 98 % of the files that have any; every place held back is listed', async () => {
    const files = PACKAGES.flatMap((name) => textsBelow(join(ROOT, 'node_modules', name)));
    const held: string[] = [];
    let touched = 0;
    const looking = files.filter(({ text }) => LOOK_ALIKE.test(text));
    for (const file of files) {
      const { text, secrets } = await hideSecrets(file.path, file.text);
      if (secrets === 0) continue;
      if (looking.includes(file)) touched++;
      const before = file.text.split('\n');
      for (const [row, line] of text.split('\n').entries())
        if (line !== before[row]) held.push(`${file.path}:${row + 1}`);
    }
    const listed = `${held.toSorted().join('\n')}\n`;
    if (process.env['UPDATE']) writeFileSync(HELD_BACK, listed);
    assert.equal(listed, readFileSync(HELD_BACK, 'utf8'), 'UPDATE=1 writes the list');
    assert.ok(looking.length > 500, String(looking.length));
    assert.ok(touched / looking.length <= 0.02, `${touched} of ${looking.length} files`);
    const packages = new Set(
      looking.map(({ path }) =>
        path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    );
    assert.ok(packages.size >= 20, String(packages.size));
  });

  it('is shown in this project’s own lock file and documents', async () => {
    for (const path of ['package-lock.json', 'ARCHITECTURE.md', 'README.md', 'CHANGELOG.md', 'biome.json']) {
      const text = readFileSync(join(ROOT, path), 'utf8');
      assert.equal((await hideSecrets(path, text)).text, text, path);
    }
  });
});
