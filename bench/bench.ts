import '../test/support/own-state.ts';
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commands } from './editor/commands.ts';
import { extension } from './editor/extension.ts';
import { opening } from './editor/opening.ts';
import { panel } from './editor/panel.ts';
import { panelFiles } from './editor/panel-files.ts';
import { sizes } from './editor/sizes.ts';
import { timeline } from './editor/timeline.ts';
import { typing } from './editor/typing.ts';
import { disk } from './engine/disk.ts';
import { money } from './engine/money.ts';
import { real } from './engine/real.ts';
import { scale } from './engine/scale.ts';
import { slots } from './engine/slots.ts';
import { fleet } from './fleet/fleet.ts';
import { thousand } from './fleet/thousand.ts';
import type { Figure, Part } from './harness/figure.ts';
import { tableOf } from './harness/print-figures.ts';
import { strategies } from './strategies/strategies.ts';
import { context } from './text/context.ts';
import { filtering } from './text/filtering.ts';
import { indexing } from './text/indexing.ts';
import { indexingMemory } from './text/indexing-memory.ts';
import { thoughts } from './thoughts/thoughts.ts';

const PARTS: Readonly<Record<string, Part>> = {
  slots,
  money,
  context,
  filtering,
  indexing,
  'indexing-memory': indexingMemory,
  disk,
  real,
  scale,
  opening,
  commands,
  thousand,
  thoughts,
  strategies,
  extension,
  panel,
  'panel-files': panelFiles,
  timeline,
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
    data: { type: 'string' },
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
if (values.data !== undefined && !existsSync(values.data)) {
  console.error(`There is no folder of data sets at ${values.data}.`);
  process.exit(2);
}
const figures: Figure[] = [];
for (const name of wanted) {
  const begun = performance.now();
  const say = (text: string): void => console.error(`${name}: ${text}`);
  figures.push(...((await PARTS[name]?.({ quick: values.quick ?? false, say, puzzles, data: values.data })) ?? []));
  say(`done in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
console.log(tableOf(figures));
const report = { node: process.version, platform: process.platform, quick: values.quick ?? false, figures };
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
else console.log(JSON.stringify(report));
