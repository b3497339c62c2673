import { type Figure, median, type PartOptions } from '../harness/figure.ts';
import { type SimulatedRun, simulatedRun } from '../trees/simulated-run.ts';

/** The maximum of the time over the shortest possible, by number of slots. */
const RATIOS: Readonly<Record<number, number>> = { 4: 1.03, 16: 1.06, 64: 1.3 };
const PLAIN_TOKENS = 10.6;

/**
 * Returns the same tree searched with ranked picks and with the plain form, in virtual time: the same on every machine.
 */
export async function slots({ quick, say }: PartOptions): Promise<Figure[]> {
  const figures: Figure[] = [];
  const ours: SimulatedRun[] = [];
  const plain: SimulatedRun[] = [];
  for (const slot of Object.keys(RATIOS)) {
    const runs: SimulatedRun[] = [];
    for (const seed of quick ? [1] : [1, 2, 3]) {
      say(`${slot} slots, seed ${seed}`);
      runs.push(await simulatedRun('ranked', Number(slot), seed));
    }
    ours.push(...runs);
    const plainHere = quick && slot !== '16' ? undefined : await simulatedRun('one-at-a-time', Number(slot), 1);
    if (plainHere) plain.push(plainHere);
    figures.push(ratioFigure(Number(slot), runs, plainHere));
  }
  return [...figures, ...tokenFigures(ours, plain), await wideFigure()];
}

/** Returns the figures of the tree on 16 slots alone, without what they are compared with. */
export async function sixteenSlots(): Promise<Figure[]> {
  const run = await simulatedRun('ranked', 16, 1);
  return [ratioFigure(16, [run], undefined), ...tokenFigures([run], [])];
}

function ratioFigure(slot: number, runs: readonly SimulatedRun[], plain: SimulatedRun | undefined): Figure {
  const ratios = runs.map(({ ratio }) => ratio);
  const worst = `worst of ${runs.length} seeds ${Math.max(...ratios).toFixed(3)}`;
  return {
    part: 'slots',
    what: `time over (work ÷ slots), ${slot} slots`,
    value: median(ratios),
    unit: '×',
    target: { atMost: RATIOS[slot] as number },
    note: plain ? `${worst}; plain form ${plain.ratio.toFixed(2)}` : worst,
  };
}

/**
 * Returns a wider tree shares less of its prompts: every document has to be sent once, and fewer calls build on each.
 */
async function wideFigure(): Promise<Figure> {
  const { sent, ratio, promptTokens } = await simulatedRun('ranked', 4, 1, 'wide');
  const note = `three levels, 12, 96, 792 nodes; ${(promptTokens / 1e6).toFixed(2)} million tokens, time ${ratio.toFixed(3)}`;
  return { part: 'slots', what: 'prefix sent before, the wide tree', value: 100 * sent, unit: '%', note };
}

/** Returns the worst of all runs, since the targets apply to each of them. */
function tokenFigures(ours: readonly SimulatedRun[], plain: readonly SimulatedRun[]): Figure[] {
  const worst = (of: (run: SimulatedRun) => number, pick: 'max' | 'min'): number => Math[pick](...ours.map(of));
  const ofPlain = (of: (run: SimulatedRun) => number): number => median(plain.map(of));
  const millions = worst(({ promptTokens }) => promptTokens / 1e6, 'max');
  const plainMillions = ofPlain(({ promptTokens }) => promptTokens / 1e6);
  const nodes = worst((run) => run.nodes, 'min');
  const figure = (what: string, value: number, unit: string, note: string, target?: Figure['target']): Figure => ({
    part: 'slots',
    what,
    value,
    unit,
    note,
    ...(target ? { target } : {}),
  });
  const share = (rule: 'sent' | 'answered' | 'written'): number => 100 * worst((run) => run[rule], 'min');
  const plainShare = (rule: 'sent' | 'answered' | 'written'): string =>
    `worst run; plain form ${(100 * ofPlain((run) => run[rule])).toFixed(1)} %`;
  return [
    figure(
      "picker's share of prompt tokens",
      100 * worst(({ pickerShare }) => pickerShare, 'max'),
      '%',
      `worst run, ${worst(({ picks }) => picks, 'max')} picks; plain form ${(100 * ofPlain(({ pickerShare }) => pickerShare)).toFixed(0)} %`,
      { atMost: 5 },
    ),
    figure(
      'prompt tokens of the tree',
      millions,
      'million',
      `worst run; plain form ${plainMillions.toFixed(1)} million`,
      {
        atMost: PLAIN_TOKENS / 3,
      },
    ),
    figure('prompt tokens over the plain form’s', millions / plainMillions, '×', 'same run', { atMost: 1 / 3 }),
    figure('prefix sent before, of prompt bytes', share('sent'), '%', plainShare('sent'), { atLeast: 86 }),
    figure('prefix answered before', share('answered'), '%', plainShare('answered')),
    figure('prefix sent or written by the model before', share('written'), '%', plainShare('written')),
    figure('nodes worked on', nodes, '', 'of 900', { atLeast: 900 }),
  ];
}
