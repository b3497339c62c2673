import type { Checkout, Workshop } from '../../../core/ports/workshop.ts';
import { type Conversation, turnOf } from '../../../core/search/conversation.ts';
import type { QuestionTools, Words } from '../../../engine/calls/question.ts';
import type { SearchContext } from '../../../engine/search-context.ts';
import { sentBack } from '../graph/loop.ts';
import { askAboutAtom, atomData, unruled } from './ask-about-atom.ts';
import { OwnRuns } from './own-runs.ts';
import { againPrompt, workPrompt } from './prompts.ts';
import { shortened } from './read-answer.ts';
import type { AtomTask, Worked } from './roles.ts';
import { checkWork } from './work-answer.ts';

const MAX_OUTPUT_TOKENS = 12_000;
/** Uses of tools by a model without tools of its own. */
const ROUNDS = 80;
const LONGEST_DIFF = 20_000;

/** Works on an atom in its checkout. What is changed there is the work; the answer only tells of it. */
export async function workByModel(
  ctx: SearchContext & { readonly workshop: Workshop },
  task: AtomTask,
  checkout: Checkout,
  commands: readonly string[],
  signal: AbortSignal,
): Promise<Worked> {
  const model = ctx.modelFor('work-on');
  const { fields } = task;
  const runs = new OwnRuns(checkout, fields.checks ?? []);
  const words = async (before: Conversation): Promise<Words> => ({
    ...(await wordsFor(ctx, task, checkout, commands, before)),
    data: unruled(ctx),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    workplace: { folder: checkout.folder, rights: 'write' },
    ...toolsFor(ctx, checkout, commands, runs, model.worksByItself === true),
  });
  const answer = await askAboutAtom(ctx, task, { purpose: 'work-on', words, check: checkWork }, signal);
  const time = new Date(ctx.clock.now()).toISOString();
  return { ...answer, evidence: answer.success ? runs.evidence(time) : [], by: model.name };
}

/** The atom in full; or, where its work came back, what was seen of that, in the conversation in which it was done. */
async function wordsFor(
  ctx: SearchContext & { readonly workshop: Workshop },
  task: AtomTask,
  checkout: Checkout,
  commands: readonly string[],
  before: Conversation,
): Promise<Pick<Words, 'prompt' | 'turns'>> {
  const { probe, tries = [] } = task.fields;
  const turns = before.turns.filter((turn) => turn.purpose === 'work-on' && !turn.toolCalls && !turn.toolResults);
  const [last, now] = tries.slice(-2);
  const isBack = last !== undefined && sentBack(tries).includes(last) && last.begunWith === now?.begunWith;
  const data = atomData(task);
  if (isBack && turns.length > 0) {
    const isInPlace = last.ended === 'contradicted' && checkout.isContinued;
    return { prompt: againPrompt({ ...data, commands, isInPlace }), turns: turns.map(turnOf) };
  }
  const findings = typeof probe === 'object' ? probe.findings : undefined;
  return { prompt: workPrompt({ ...data, commands, findings, left: await leftIn(ctx.workshop, checkout) }) };
}

/** An agent has tools of its own for files, and gets ours for commands only. */
function toolsFor(
  { toolsIn }: SearchContext,
  { folder }: Checkout,
  commands: readonly string[],
  runs: OwnRuns,
  isForCommandsOnly: boolean,
): { readonly tools?: QuestionTools } {
  if (!toolsIn || (isForCommandsOnly && commands.length === 0)) return {};
  const run = (line: string, signal: AbortSignal) => runs.run(line, signal);
  const toolbox = toolsIn({ folder, rights: 'write', commands, run, isForCommandsOnly });
  return { tools: { toolbox, rounds: ROUNDS } };
}

/** Returns what an earlier try left, for a worker who knows nothing of it; undefined if there is nothing. */
async function leftIn(workshop: Workshop, checkout: Checkout): Promise<string | undefined> {
  if (!checkout.isContinued) return undefined;
  const commit = await checkout.commit('What an earlier try left');
  if (commit === undefined) return undefined;
  const { files, text } = await workshop.diff(checkout.base, commit);
  const named = files.slice(0, 100).map(({ path, change }) => `${change} ${path}`);
  return shortened([...named, text].join('\n'), LONGEST_DIFF);
}
