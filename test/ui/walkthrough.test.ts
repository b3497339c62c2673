import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { auditOf } from './support/audit.ts';
import { THEMES, type ThemeName } from './support/themes.ts';
import { useBrowser } from './support/use-browser.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const read = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly markdown?: string; readonly svg?: string };
}

const { contributes } = JSON.parse(read('package.json')) as {
  contributes: { walkthroughs: readonly { title: string; description: string; steps: readonly Step[] }[] };
};
const LANGUAGES = ['en', ...globSync('package.nls.*.json', { cwd: ROOT }).map((file) => file.split('.')[2] ?? '')];

/** Returns the walkthrough as the editor shows it: its steps, and beside each a picture in the colours of the theme or a page. */
function pageOf(theme: ThemeName, language: string): string {
  const { body, colours } = THEMES[theme];
  const texts = JSON.parse(read(language === 'en' ? 'package.nls.json' : `package.nls.${language}.json`));
  const said = (key: string): string => texts[key.slice(1, -1)] ?? '';
  const markdown = new MarkdownIt();
  // Its links are commands, which only the editor lets pass.
  markdown.validateLink = () => true;
  const [walkthrough = assert.fail()] = contributes.walkthroughs;
  const steps = walkthrough.steps.map(({ title, description, media }) => {
    const beside = media.svg ? read(media.svg) : markdown.render(read(media.markdown ?? assert.fail()));
    return `<section><h2>${said(title)}</h2>${markdown.render(said(description))}<div>${beside}</div></section>`;
  });
  const variables = Object.entries(colours).map(([name, colour]) => `--vscode-${name}: ${colour};`);
  return `<!DOCTYPE html><html lang="${language}"><head><title>${said(walkthrough.title)}</title><style>
    :root { ${variables.join(' ')} }
    body { background: var(--vscode-editor-background); color: var(--vscode-foreground); }
    a { color: var(--vscode-textLink-foreground); }
    code { background: var(--vscode-textPreformat-background); color: var(--vscode-textPreformat-foreground); }
    </style></head><body class="${body}"><main><h1>${said(walkthrough.title)}</h1>${steps.join('')}</main></body></html>`;
}

describe('the walkthrough', () => {
  const running = useBrowser();

  for (const language of LANGUAGES)
    for (const theme of Object.keys(THEMES) as ThemeName[])
      it(`passes the checks of axe, in ${language} and ${theme}`, async () => {
        const page = await running.browser.newPage({ viewport: { width: 700, height: 1400 } });
        await page.setContent(pageOf(theme, language));
        assert.equal(await page.locator('section').count(), 5);
        assert.ok((await page.locator('svg text').count()) > 10, 'the pictures are there');
        assert.deepEqual(await auditOf(page, AXE), []);
        await page.close();
      });
});
