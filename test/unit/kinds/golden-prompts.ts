import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** The page that shows the prompts of a kind. */
export function promptPage(kind: string): URL {
  return new URL(`../../../doc/prompts/${kind}.md`, import.meta.url);
}

/**
 * Compares prompts with the page in `doc/prompts` that shows them, byte for byte; `UPDATE_GOLDEN=1` writes the page again.
 * @param kind names the page
 * @param what what it shows, as its heading
 */
export function describeGolden(kind: string, what: string, prompts: Readonly<Record<string, string>>): void {
  if (process.env['UPDATE_GOLDEN']) writeFileSync(promptPage(kind), pageOf(what, prompts));
  const page = readFileSync(promptPage(kind), 'utf8');

  for (const [name, text] of Object.entries(prompts))
    it(`are what doc/prompts shows: ${name}`, () => {
      assert.equal(text, textIn(page, name), 'UPDATE_GOLDEN=1 writes the page again.');
    });

  it('have no text shown of one that is gone', () => assert.equal(page, pageOf(what, prompts)));
}

function pageOf(what: string, prompts: Readonly<Record<string, string>>): string {
  const parts = Object.entries(prompts).map(([name, text]) => `## ${name}\n\n${FENCE}text\n${text}\n${FENCE}\n`);
  return `# ${what}\n\nMade from the code by a test, with a made-up question; what a workspace adds is not shown.\n\n${parts.join('\n')}`;
}

/** Longer than any fence in a prompt. */
const FENCE = '``````';

function textIn(page: string, name: string): string | undefined {
  const start = `## ${name}\n\n${FENCE}text\n`;
  const at = page.indexOf(start);
  return at < 0 ? undefined : page.slice(at + start.length, page.indexOf(`\n${FENCE}\n`, at));
}
