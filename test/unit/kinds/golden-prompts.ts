import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Compares prompts, byte for byte, with those kept in a folder of `test/golden`; `UPDATE_GOLDEN=1` writes them again. */
export function describeGolden(folder: string, prompts: Readonly<Record<string, string>>): void {
  const golden = new URL(`../../golden/${folder}/`, import.meta.url);
  if (process.env['UPDATE_GOLDEN']) {
    mkdirSync(golden, { recursive: true });
    for (const [name, text] of Object.entries(prompts)) writeFileSync(new URL(`${name}.txt`, golden), text);
  }

  for (const [name, text] of Object.entries(prompts))
    it(`are what they were: ${name}`, () => {
      assert.equal(text, readFileSync(new URL(`${name}.txt`, golden), 'utf8'));
    });

  it('have no text kept of one that is gone', () => {
    const files = Object.keys(prompts).map((name) => `${name}.txt`);
    assert.deepEqual(readdirSync(golden).sort(), files.sort());
  });
}
