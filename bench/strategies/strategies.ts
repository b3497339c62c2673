import type { Figure, Part, PartOptions } from '../harness/figure.ts';
import { blocksworld } from './blocksworld.ts';
import { crosswords } from './crosswords.ts';
import { game24Log } from './game24-log.ts';
import { paired } from './paired.ts';
import { refinement } from './refinement.ts';

/** What is measured about strategies, one after the other. What needs a data set is left out with a line without `--data`. */
const SECTIONS: readonly Part[] = [refinement, game24Log, crosswords, blocksworld, paired];

/** The strategies of a search for a solution, on trees without a model and on recorded answers. */
export async function strategies(options: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const section of SECTIONS) figures.push(...(await section(options)));
  return figures;
}
