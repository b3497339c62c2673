import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeStatus } from '../../../src/core/tree/node-file.ts';
import { glyphOf } from '../../../src/drawing/glyphs.ts';
import { COMMON_ACTIONS } from '../../../src/extension/actions/editor-actions.ts';
import { COMMANDS } from '../../../src/extension/commands/command-table.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const json = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

type Media = { readonly markdown: string } | { readonly svg: string; readonly altText: string };
interface Manifest {
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly viewsWelcome: readonly { view: string; contents: string; when: string }[];
    readonly walkthroughs: readonly {
      steps: readonly { id: string; title: string; description: string; media: Media }[];
    }[];
    readonly configuration: readonly { properties: Record<string, unknown> }[];
  };
}
const { contributes } = json('package.json') as Manifest;
const texts = json('package.nls.json') as Record<string, string>;
const l10n = json('l10n/bundle.l10n.json') as Record<string, string>;
const fileOf = (media: Media): string => ('markdown' in media ? media.markdown : media.svg);
const textOf = (key: string): string => texts[key.slice(1, -1)] ?? '';

/** Commands of the editor's own that texts link to. */
const EDITORS = new Set([
  'vscode.openFolder',
  'workbench.trust.manage',
  'thoughtTree.searches.focus',
  'workbench.action.chat.open',
  'workbench.action.openWalkthrough',
]);

describe('the empty sidebar', () => {
  /** A `when` clause for one state of the window. */
  const holds = (when: string, folders: number, trusted: boolean): boolean =>
    when.split(' && ').every((part) => {
      const known: Record<string, boolean> = {
        'workspaceFolderCount == 0': folders === 0,
        'workspaceFolderCount > 0': folders > 0,
        isWorkspaceTrusted: trusted,
        '!isWorkspaceTrusted': !trusted,
        'thoughtTree.known': true,
        '!thoughtTree.isLimited': true,
      };
      assert.ok(part in known, `"${part}" is not known here`);
      return known[part] as boolean;
    });

  for (const [state, folders, trusted, text, command] of [
    ['no folder is open', 0, true, /Open a folder/, 'vscode.openFolder'],
    ['no folder is open, and nothing is trusted', 0, false, /Open a folder/, 'vscode.openFolder'],
    ['the folder is not trusted', 1, false, /viewed but not run/, 'workbench.trust.manage'],
    ['there is no search yet', 1, true, /Ask a hard question/, 'thoughtTree.start'],
    ['there is no search yet in several folders', 3, true, /Ask a hard question/, 'thoughtTree.start'],
  ] as const)
    it(`says what to do where ${state}`, () => {
      const shown = contributes.viewsWelcome.filter(({ when }) => holds(when, folders, trusted));
      assert.equal(shown.length, 1);
      const said = textOf(shown[0]?.contents ?? '');
      assert.match(said, text);
      assert.ok(said.includes(`(command:${command})`));
      const buttons = said.split('\n').filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line));
      assert.equal(buttons.length, 1, 'one thing to do first');
    });
});

describe('Find in This Folder', () => {
  const [walkthrough] = contributes.walkthroughs;
  const tour = walkthrough?.steps.map(({ description }) => textOf(description)) ?? [];

  for (const [place, said] of [
    ['the empty sidebar', textOf('%welcome.empty%')],
    ['the walkthrough', tour.join('\n')],
  ] as const)
    it(`is a link in ${place}, as an answer without a model`, () => {
      assert.match(said, /Find in this folder\]\(command:thoughtTree\.findInFolder\)/i);
      assert.match(said, /lines that answer (?:a|your) question, in seconds/);
    });

  it('is named on the page of the listing, before the steps of a tree', () => {
    const page = readFileSync(join(ROOT, 'doc/marketplace.md'), 'utf8');
    const at = page.indexOf(`**${texts['command.findInFolder']}**`);
    assert.ok(at > page.indexOf('## The first minute') && at < page.indexOf('**Start Tree Search**'));
  });
});

describe('the walkthrough', () => {
  const [walkthrough] = contributes.walkthroughs;
  const steps = walkthrough?.steps ?? [];

  it('has five steps', () => {
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['model', 'start', 'steer', 'report', 'agents'],
    );
  });

  for (const { id, title, description, media } of steps)
    it(`names only existing things in the step "${id}"`, () => {
      assert.match(textOf(title), /^[A-Z]/);
      const file = fileOf(media);
      assert.ok(existsSync(join(ROOT, file)), `${file} is missing`);
      const page = 'markdown' in media ? readFileSync(join(ROOT, file), 'utf8') : textOf(media.altText);
      assert.ok(page.length > 20, 'a picture is described to those who cannot see it');
      const said = `${textOf(description)}\n${page}`;
      const commands = [...said.matchAll(/command:([\w.]+)/g)].map(([, command = '']) => command);
      assert.ok(commands.length > 0, 'it available something to do');
      for (const command of commands) assert.ok(command in COMMANDS || EDITORS.has(command), command);
      const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
      for (const [name] of said.matchAll(/(?<!command:)\bthoughtTree\.\w+(?!\.)/g))
        assert.ok(settings.includes(name) || name in COMMANDS || name === 'thoughtTree.searches', name);
      for (const [, linked = ''] of said.matchAll(/\]\((?!command:|https:)([^)]+)\)/g))
        assert.ok(existsSync(join(ROOT, file, '..', linked)), linked);
    });

  it('says where the newer commands are, by the names that menus have', () => {
    const said = steps.map(({ description }) => textOf(description)).join('\n');
    for (const name of ['askSelection', 'findInDocuments', 'resume', 'copyMarkdown', 'saveHtml', 'compareWith']) {
      const title = texts[`command.${name}`];
      assert.ok(title !== undefined && said.includes(title), name);
    }
    assert.match(said, /Enter takes the size that fits your limits/);
    assert.match(said, /drawing opens beside/);
  });

  it('leads to what no menu of a row shows by the list that has it', () => {
    const report = textOf(steps.find(({ id }) => id === 'report')?.description ?? '');
    assert.ok(COMMON_ACTIONS.exportSearch.isRare);
    assert.ok(report.includes(`${COMMON_ACTIONS.exportSearch.title} under ${texts['command.more']}`));
  });

  it('names every tool that agents of the window have, and of those no other', () => {
    const page = readFileSync(join(ROOT, 'media/walkthrough/agents.md'), 'utf8');
    const [, listed = ''] = /have the tools of searches \(([^)]+)\)/.exec(page) ?? [];
    const names = contributes.languageModelTools.map(({ name }) => name);
    assert.deepEqual(listed.split(', ').toSorted(), names.map((name) => `\`${name}\``).toSorted());
  });

  it('shows every status by the shape that the panel draws, in the colours of the theme', () => {
    const picture = readFileSync(join(ROOT, 'media/walkthrough/steer.svg'), 'utf8');
    for (const status of NodeStatus.options) {
      const { fill, stroke } = glyphOf({ path: status, status });
      const name = (l10n[`node.status.${status}`] ?? '?').toLowerCase();
      const card = picture.split('\n').find((line) => line.toLowerCase().includes(`<title>${name}: `));
      assert.ok(card, `${name} is in the picture`);
      for (const shape of [fill, stroke]) assert.ok(shape === undefined || card.includes(`d="${shape}"`), status);
    }
    for (const file of globSync('media/walkthrough/*.svg', { cwd: ROOT }))
      assert.doesNotMatch(
        readFileSync(join(ROOT, file), 'utf8'),
        /#[0-9a-f]{3,8}\b|style=|<style|<image|https?:(?!\/\/www.w3.org)/i,
      );
  });

  it('shows every page in its folder', () => {
    assert.deepEqual(
      globSync('media/walkthrough/*', { cwd: ROOT })
        .map((file) => file.replaceAll('\\', '/'))
        .toSorted(),
      steps.map(({ media }) => fileOf(media)).toSorted(),
    );
  });
});
