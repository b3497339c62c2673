import { Command, CommanderError } from 'commander';
import type { KindDescriptor } from '../../core/kind/kind-descriptor.ts';
import { MODELS_OPTION, membersIn } from '../../core/money/several-models.ts';
import { ThoughtTreeError, toThoughtTreeError } from '../../core/search/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import { checkModel } from '../../engine/kind.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import type { Environment } from '../../searches/models/environment.ts';
import { commandWords } from '../../searches/own-tasks.ts';
import { judgeScores, notASetup, setupsOrStrategies, setupTwice } from '../messages.ts';
import { addKindOptions, type TypedFlags } from '../options/kind-options.ts';
import { addJudgeOptions, addModelChoice, namedJudge, namedModel, type SearchFlags } from '../options/options.ts';
import { type NamedModelOptions, openNamedJudge, openNamedModel, sayAgents } from '../running/open-run.ts';
import { inWords } from '../terminal/translation.ts';

/** One way to solve the problems of a comparison, as typed. */
export interface TypedSetup<Flags> {
  readonly name: string;
  /** The flags of the command, with those of this set-up in their place. */
  readonly flags: Flags;
}

/** A way to solve them whose models can be opened. */
export interface Setup<Flags extends SearchFlags = SearchFlags> extends TypedSetup<Flags> {
  readonly model: string;
  /** The model that scores, if different. */
  readonly judge: string | undefined;
  /** Its models, for people. */
  readonly label: string;
  /** True if its models cost nothing. */
  readonly free: boolean;
  /** True if one of its models answers from a recording. */
  readonly isRecording: boolean;
}

interface SetupFlags extends SearchFlags {
  readonly strategies?: readonly string[];
  readonly setup?: readonly string[];
}

/**
 * The set-ups to compare: each is the flags in which it differs; a strategy alone is one, too. By default, all strategies.
 * @throws ThoughtTreeError `bad-input` if one cannot be read, or is there twice
 */
export function typedSetups<Flags extends SetupFlags>(
  flags: Flags,
  descriptor: KindDescriptor,
  strategies: readonly string[],
): TypedSetup<Flags>[] {
  if (!flags.setup)
    return (flags.strategies ?? strategies).map((name) => ({ name, flags: { ...flags, strategy: name } }));
  if (flags.strategies) throw new ThoughtTreeError('bad-input', setupsOrStrategies());
  const setups = flags.setup.map((text) => ({ name: nameOf(text), flags: { ...flags, ...read(text, descriptor) } }));
  const twice = setups.find(({ name }, at) => setups.findIndex((each) => each.name === name) < at);
  if (twice) throw new ThoughtTreeError('bad-input', setupTwice({ setup: twice.name }));
  return setups;
}

/** Returns the flags without their dashes, in one line: `strategy best-first beam 2`. */
function nameOf(text: string): string {
  return oneLine(text.replaceAll(/(?<=^|\s)--/g, ''), 100);
}

function read(text: string, descriptor: KindDescriptor): TypedFlags {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addKindOptions(addJudgeOptions(addModelChoice(command)), [descriptor]).helpOption(false);
  try {
    return command.parse(commandWords(text), { from: 'user' }).opts();
  } catch (error) {
    const why = error instanceof CommanderError ? error.message.replace(/^error: /, '') : toThoughtTreeError(error).say;
    throw new ThoughtTreeError('bad-input', notASetup({ setup: oneLine(text, 200), why }));
  }
}

/** Opens the models of set-ups once, to check that they can be, and what they cost. */
export async function readySetups<Flags extends SearchFlags>(
  typed: readonly TypedSetup<Flags>[],
  descriptor: KindDescriptor,
  others: Omit<NamedModelOptions, 'flags'>,
): Promise<Setup<Flags>[]> {
  const probed = new Map<string, Probed>();
  const setups: Setup<Flags>[] = [];
  for (const { name, flags } of typed) {
    const { model, judge } = modelsOf(flags, others.env);
    const options = { ...others, flags };
    const key = JSON.stringify([model, judge, flags.baseUrl, flags.price, flags.judgePrice]);
    const known = probed.get(key) ?? (await probe(descriptor, model, judge, options));
    probed.set(key, known);
    setups.push({
      name,
      flags,
      model,
      judge,
      ...known,
      isRecording: [model, judge].some((each) => each?.startsWith('replay/')),
    });
  }
  return setups;
}

/** Returns the models of a set-up by their names; a judge only if it is another model. */
function modelsOf(flags: SearchFlags, env: Environment): { model: string; judge: string | undefined } {
  const several = membersIn((flags as TypedFlags)[MODELS_OPTION]);
  const model = namedModel(flags, env) ?? several?.[0]?.name ?? FREE_MODEL;
  const judge = namedJudge(flags, env);
  return { model, judge: judge === model ? undefined : judge };
}

type Probed = Pick<Setup, 'free' | 'label'>;

/** Asks the models about themselves. */
async function probe(
  descriptor: KindDescriptor,
  name: string,
  judge: string | undefined,
  options: NamedModelOptions,
): Promise<Probed> {
  const model = await openNamedModel(name, options);
  await model.close?.();
  checkModel(descriptor, model);
  if (judge === undefined) {
    sayAgents([model]);
    return { free: model.free, label: model.label };
  }
  const judging = await openNamedJudge(judge, name, options);
  await judging.close?.();
  sayAgents([model, judging]);
  return {
    free: model.free && judging.free,
    label: inWords(judgeScores({ model: model.label, judge: judging.label })),
  };
}
