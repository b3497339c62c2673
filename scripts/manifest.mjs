// Writes the parts of package.json that are generated from the source (commands, menus, keys), the JSON schemas, the
// drawings of the walkthrough and the list of texts.
//   node scripts/manifest.mjs           writes them        node scripts/manifest.mjs --check    fails if they are stale
// It counts the texts that each language lacks (--missing lists them), and fails on those that are unknown or have other places.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { ChildrenFile, optionsSchema, SearchFile, SearchOptions } from '../src/core/search/search-file.ts';
import { NodeFile } from '../src/core/tree/node-file.ts';
import { COMMON_ACTIONS } from '../src/extension/actions/editor-actions.ts';
import { COMMANDS } from '../src/extension/commands/command-table.ts';
import { KINDS } from '../src/kinds/kinds.ts';
import { toolsFor, WINDOW_TOOLS } from '../src/searches/agent-tools/tool-descriptors.ts';
import { commandContributions, kindCommands, startCommands } from './contributions.ts';
import { englishTexts, faultsOf, inOrder, manifestTexts, missingIn } from './texts.ts';
import { walkthroughPictures } from './walkthrough-pictures.ts';

const check = process.argv.includes('--check');
const stale = [];

function put(file, text) {
  let before = '';
  try {
    before = readFileSync(file, 'utf8');
  } catch {
    // it is created now
  }
  if (before === text) return;
  if (check) stale.push(file);
  else writeFileSync(file, text);
}

const windowTools = toolsFor(KINDS.map(({ descriptor }) => descriptor)).filter(({ name }) =>
  WINDOW_TOOLS.includes(name),
);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const descriptors = KINDS.map(({ descriptor }) => descriptor);
const { commands, menus, keybindings } = commandContributions(descriptors);
manifest.contributes = {
  ...manifest.contributes,
  languageModelTools: languageModelTools(),
  commands,
  menus,
  keybindings,
};
put('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
for (const [name, svg] of walkthroughPictures()) put(`media/walkthrough/${name}`, svg);

// The titles of a kind's own actions, and of common ones that have none by hand.
const titles = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const keyOf = (id) => `command.${id.slice('thoughtTree.'.length)}`;
const byHand = Object.entries(titles).filter(([key]) => !/^(?:command\.\w+|tool)\./.test(key));
const untitled = Object.entries(COMMANDS).filter(([id, { action }]) => action && !(keyOf(id) in titles));
const own = [
  ...untitled.map(([id, { action }]) => [keyOf(id), inTitleCase(COMMON_ACTIONS[action].title)]),
  ...[...startCommands(descriptors), ...kindCommands(descriptors)].map(({ id, title }) => [
    keyOf(id),
    inTitleCase(title),
  ]),
  ...windowTools.map(({ name, title }) => [`tool.${name}`, title]),
];
const last = byHand.findLastIndex(([key]) => key.startsWith('command.')) + 1;
put('package.nls.json', `${JSON.stringify(Object.fromEntries(byHand.toSpliced(last, 0, ...own)), null, 2)}\n`);

/** The tools that the window offers the editor's own agents. */
function languageModelTools() {
  return windowTools.map(({ name, description, input }) => {
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });
    return {
      name,
      displayName: `%tool.${name}%`,
      modelDescription: description,
      toolReferenceName: name.replace(/_(\w)/, (_all, letter) => letter.toUpperCase()),
      canBeReferencedInPrompt: true,
      icon: '$(type-hierarchy)',
      when: 'isWorkspaceTrusted && workspaceFolderCount > 0',
      inputSchema,
    };
  });
}

function inTitleCase(text) {
  return text.replaceAll(/(^| )(?!(?:an?|the) )(\p{Ll})/gu, (_, space, letter) => space + letter.toUpperCase());
}

mkdirSync('media/schemas', { recursive: true });
// The options of all kinds, each of which its kind checks again.
const options = KINDS.reduce(
  (all, { descriptor }) => all.extend(optionsSchema(descriptor.options).shape),
  SearchOptions,
);
const search = SearchFile.extend({ options: options.default({}) });
for (const [name, schema] of Object.entries({ search, node: NodeFile, children: ChildrenFile })) {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  put(
    `media/schemas/${name}.schema.json`,
    `${JSON.stringify({ title: `${name}.json of a tree search`, ...json }, null, 2)}\n`,
  );
}

// One file contains all texts for people; a language's file has the same keys. VS Code requires the manifest's separately.
mkdirSync('l10n', { recursive: true });
const english = await englishTexts(`${process.cwd()}/`, descriptors);
put('l10n/bundle.l10n.json', `${JSON.stringify(english, null, 2)}\n`);
for (const file of globSync('l10n/bundle.l10n.*.json')) {
  const read = JSON.parse(readFileSync(file, 'utf8'));
  // A text that was said otherwise is translated anew: until then it is English.
  const translated = check ? read : inOrder(read, english);
  put(file, `${JSON.stringify(translated, null, 2)}\n`);
  const language = /bundle\.l10n\.(.*)\.json$/.exec(file)[1];
  put(`package.nls.${language}.json`, `${JSON.stringify(manifestTexts(translated), null, 2)}\n`);
  const faults = faultsOf(translated, english);
  for (const fault of faults) console.error(`${file}: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  const missing = missingIn(language, translated, english);
  console.log(`${file}: ${missing.length} of ${Object.keys(english).length} texts are shown in English`);
  if (process.argv.includes('--missing')) for (const key of missing) console.log(`  ${key}`);
}

if (stale.length > 0) {
  console.error(`Stale, run \`npm run manifest\`: ${stale.join(', ')}`);
  process.exitCode = 1;
}
