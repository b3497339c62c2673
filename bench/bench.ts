import '../test/support/own-state.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commands } from './commands.ts';
import { context } from './context.ts';
import { disk } from './disk.ts';
import { extension } from './extension.ts';
import type { Figure, Part } from './figure.ts';
import { filtering } from './filtering.ts';
import { fleet } from './fleet.ts';
import { indexing } from './indexing.ts';
import { money } from './money.ts';
import { opening } from './opening.ts';
import { panel } from './panel.ts';
import { panelFiles } from './panel-files.ts';
import { tableOf } from './print-figures.ts';
import { real } from './real.ts';
import { scale } from './scale.ts';
import { sizes } from './sizes.ts';
import { slots } from './slots.ts';
import { thoughts } from './thoughts.ts';
import { thousand } from './thousand.ts';
import { typing } from './typing.ts';

const PARTS: Readonly<Record<string, Part>> = {
  slots,
  money,
  context,
  filtering,
  indexing,
  disk,
  real,
  scale,
  opening,
  commands,
  thousand,
  thoughts,
  extension,
  panel,
  'panel-files': panelFiles,
  typing,
  fleet,
  sizes,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    quick: { type: 'boolean' },
    puzzles: { type: 'string' },
  },
});
const wanted = values.only ?? Object.keys(PARTS);
const unknown = wanted.find((name) => !PARTS[name]);
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". Parts: ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}

const puzzles = values.puzzles ?? process.env['THOUGHT_TREE_GAME24'];
if (puzzles !== undefined && !existsSync(puzzles)) {
  console.error(`There are no puzzles at ${puzzles}: the file must have four numbers per line, as in "4 9 10 13".`);
  process.exit(2);
}
const figures: Figure[] = [];
for (const name of wanted) {
  const begun = performance.now();
  const say = (text: string): void => console.error(`${name}: ${text}`);
  figures.push(...((await PARTS[name]?.({ quick: values.quick ?? false, say, puzzles })) ?? []));
  say(`done in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
console.log(tableOf(figures));
const report = { node: process.version, platform: process.platform, quick: values.quick ?? false, figures };
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
else console.log(JSON.stringify(report));
