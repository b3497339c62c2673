import { type Command, Option } from 'commander';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import {
  EvaluationStrategy,
  GenerationStrategy,
  PresetName,
  THOUGHT_OPTIONS,
  ThoughtStrategy,
} from '../../core/search/thought-options.ts';
import type { NewThoughtSearch } from '../../searches/new-thought-search.ts';
import { keptOptions, number, type SearchFlags, wholeNumber, withoutMissing } from './options.ts';
import type { TaskFlags } from './task-options.ts';

/** The options of a search for a solution, as typed in. */
export interface ThoughtFlags {
  readonly preset?: PresetName;
  readonly task?: string;
  readonly strategy?: ThoughtStrategy;
  readonly candidates?: number;
  readonly beam?: number;
  readonly threshold?: number;
  readonly samples?: number;
  readonly tries?: number;
  readonly generation?: GenerationStrategy;
  readonly evaluation?: EvaluationStrategy;
  readonly judgeBy?: 'layer' | 'parent';
  readonly adaptive?: boolean;
}

/** Adds them to a command; they hold with `--kind thoughts` only. */
export function addThoughtOptions(command: Command): Command {
  const { candidates, beam, samples, tries } = THOUGHT_OPTIONS;
  const whole = (option: typeof candidates): ((text: string) => number) =>
    wholeNumber(1, option.unwrap().maxValue ?? undefined);
  return command
    .addOption(new Option('--preset <name>', 'thoughts: settings for a sort of problem').choices(PresetName.options))
    .option('--task <name>', 'thoughts: a task that checks steps and writes the answer, as game24')
    .addOption(new Option('--strategy <name>', 'thoughts: which comes next').choices(ThoughtStrategy.options))
    .option('--candidates <k>', 'thoughts: how many are asked for at one node', whole(candidates))
    .option('--beam <b>', 'thoughts: how many are gone on with together', whole(beam))
    .option('--threshold <score>', 'thoughts: prune what scores less, from 0 to 10', number(0, 10))
    .option('--samples <n>', 'thoughts: judgements of each, averaged', whole(samples))
    .option('--tries <n>', 'thoughts: how often one node is asked', whole(tries))
    .addOption(
      new Option('--generation <way>', 'thoughts: all in one call, or one a call').choices(GenerationStrategy.options),
    )
    .addOption(
      new Option('--evaluation <way>', 'thoughts: each by itself, or compared').choices(EvaluationStrategy.options),
    )
    .addOption(
      new Option('--judge-by <group>', 'thoughts: what one call judges (default: layer)').choices(['layer', 'parent']),
    )
    .option('--adaptive', 'thoughts: let the beam follow the scores');
}

/** @throws ThoughtTreeError `bad-input` where there are some and the search is of another kind */
export function refuseThoughtOptions(flags: ThoughtFlags & TaskFlags): void {
  const { preset, task, strategy, candidates, beam, threshold, samples, tries, generation, evaluation } = flags;
  const { judgeBy, adaptive, check, checkTimeout, hooks } = flags;
  const how = { preset, task, strategy, candidates, beam, threshold, samples, tries, generation, evaluation };
  const all = { ...how, 'judge-by': judgeBy, adaptive, check, 'check-timeout': checkTimeout, hooks };
  const [first] = Object.keys(withoutMissing(all));
  if (first !== undefined)
    throw new ThoughtTreeError('bad-input', `--${first} is for searches that solve a problem: add --kind thoughts.`);
}

/** What search.json keeps of the options, and what the strategy's own field says. */
export function thoughtChoices(
  flags: SearchFlags & ThoughtFlags,
  task: string | undefined,
): Pick<NewThoughtSearch, 'options' | 'strategy'> {
  const { preset, candidates, beam, threshold, samples, tries, generation, evaluation, judgeBy, adaptive } = flags;
  const own = { preset, task, candidates, beam, threshold, samples, tries, generation, evaluation, adaptive };
  const options = { ...keptOptions(flags), ...withoutMissing({ ...own, judge: judgeBy }) };
  return { options, ...withoutMissing({ strategy: flags.strategy }) };
}
