import { join } from 'node:path';
import * as vscode from 'vscode';
import type {
  EditorAnswer,
  KindDescriptor,
  KindTerms,
  OptionDescriptor,
  OptionValue,
} from '../../core/kind/kind-descriptor.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { Size, SpendLimits } from '../../core/search/limits.ts';
import type { SearchFile } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { messageText, translated, withoutLinks } from '../message-text.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import { EDITOR_PROVIDER, settingsFor } from '../settings.ts';
import { pickPlan } from './plan-in-file.ts';
import { type SizeItem, sizeItems } from './sizes.ts';
import type { Draft, DraftMemory } from './start-draft.ts';
import { openQuestionEditor } from './start-draft.ts';
import { askKind, askOption, BY_DEFAULT, type Choices, questionsOf, shownValue } from './start-questions.ts';
import { type Answered, BACK, pickStep, type Step, type StepPlace, typeStep } from './walk-steps.ts';

export interface StepParts {
  readonly kinds: Kinds;
  readonly descriptors: readonly KindDescriptor[];
  readonly folders: readonly vscode.WorkspaceFolder[];
  readonly memory: DraftMemory;
  readonly chooser: Pick<ModelChooser, 'chooseAt' | 'chooseJudgeAt' | 'test'>;
  /** Lists the models that can be used now; undefined if that takes longer than a person waits. */
  readonly atHand: () => Promise<readonly string[] | undefined>;
  /** The answers to a kind's first question that the person's own settings add. */
  readonly ownAnswers: readonly EditorAnswer[];
  /** Returns search.json of a draft; rejects if its options do not go together. */
  readonly created: (draft: Draft) => Promise<SearchFile>;
  /** Forecasts what a draft would use if nothing limited it; undefined if it has no foreseeable end. */
  readonly forecast: (draft: Draft, size: Size) => Promise<Forecast | undefined>;
  readonly limitsFor: (draft: Draft, forecast: Forecast | undefined) => SpendLimits;
  readonly isFree: (draft: Draft) => boolean;
}

/** Returns the steps from nothing to a search that can begin, the question first: as few as what is known allows. */
export function startSteps(parts: StepParts, draft: Draft): Step<Draft>[] {
  // Until there is a question, its kind is that of most.
  const descriptor = parts.descriptors.find(({ name }) => name === draft.kind) ?? parts.descriptors[0];
  return [
    questionStep(parts),
    ...(parts.folders.length > 1 ? [folderStep(parts)] : []),
    ...(descriptor
      ? [...kindSteps(parts, descriptor), ...modelStep(parts, descriptor, draft), sizeStep(parts, descriptor)]
      : []),
  ];
}

/** Guesses the kind of a question, and with it the model if only one is at hand, where a person chose neither. */
export async function withGuesses(parts: StepParts, draft: Draft): Promise<Draft> {
  const { descriptors, atHand } = parts;
  const isOpen = draft.kind === undefined || draft.isKindGuessed;
  const found = draft.model === undefined && settingsFor(scopeOf(draft)).model === '' ? await atHand() : undefined;
  const only = found && (found.length === 0 ? FREE_MODEL : found.length === 1 ? found[0] : undefined);
  const model = only === undefined ? {} : { model: only, isModelFound: true };
  const kind = isOpen ? guessed(descriptors, { ...draft, ...model }) : {};
  return { ...draft, ...model, ...kind };
}

function guessed(descriptors: readonly KindDescriptor[], draft: Draft): Partial<Draft> {
  for (const descriptor of descriptors) {
    const { name, guess, work } = descriptor;
    const sets = guess(draft.question ?? '');
    // Nothing is changed about lines that somebody asks about, nor by quotes.
    if (!sets || (work && (draft.about || modelOf(draft, descriptor) === FREE_MODEL))) continue;
    // That answers the first question of the kind, also where it is the usual answer.
    return { kind: name, isKindGuessed: true, answers: [sets] };
  }
  return { kind: descriptors[0]?.name, isKindGuessed: true, answers: undefined };
}

function folderStep({ folders }: StepParts): Step<Draft> {
  return {
    isAnswered: ({ folder }) => folder !== undefined,
    ask: async (draft, place) => {
      const items = folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, folder: uri.fsPath }));
      const title = vscode.l10n.t('Start Tree Search');
      const placeholder = vscode.l10n.t('Which folder is the question about?');
      const picked = await pickStep(items, { place: { ...place, title }, placeholder });
      return picked === undefined || picked === BACK ? picked : { ...draft, folder: picked.folder };
    },
  };
}

async function changeKind(
  { descriptors }: StepParts,
  draft: Draft,
  place: Omit<StepPlace, 'title'>,
): Promise<Answered<Draft>> {
  const title = oneLine(draft.question ?? '', 80);
  const descriptor = await askKind(descriptors, draft.kind, { ...place, title });
  if (descriptor === undefined || descriptor === BACK) return descriptor;
  if (descriptor.name === draft.kind) return draft;
  return {
    ...draft,
    kind: descriptor.name,
    isKindGuessed: false,
    answers: undefined,
    more: undefined,
    plan: undefined,
  };
}

function questionStep(parts: StepParts): Step<Draft> {
  const { kinds, memory, descriptors } = parts;
  return {
    isAnswered: ({ isAsked }) => isAsked === true,
    ask: async (draft, place) => {
      const { question = '', about } = draft;
      const descriptor = draft.isKindGuessed ? undefined : descriptors.find(({ name }) => name === draft.kind);
      const words = descriptor?.words;
      const planned = descriptor ?? descriptors.find(({ work }) => work);
      // An input of one line would join the lines of this one.
      if (question.trim().includes('\n')) {
        memory.keep(draft); // it begins from the editor, as what was chosen until now
        return void (await openQuestionEditor(question));
      }
      const write = button('edit', vscode.l10n.t('Write in an Editor, in Several Lines'));
      const byPlan = button('file', vscode.l10n.t('Use a Plan in a File…'));
      let typed = question;
      const answer = await typeStep({
        place: { ...place, title: about ? vscode.l10n.t('Ask About {0}', about.place) : titleOf(words) },
        prompt: words ? translated(words.question) : vscode.l10n.t('What do you want to know, solve or get done?'),
        placeholder: translated((words ?? descriptors[0]?.words)?.example ?? ''),
        value: question,
        validate: (text) => (text.trim() === '' ? vscode.l10n.t('Ask a question.') : undefined),
        buttons: [write, ...(planned?.work && !about ? [byPlan] : [])],
        onType: (text) => {
          typed = text;
          memory.keep({ ...draft, question: text });
        },
      });
      if (answer === undefined) return undefined;
      if (answer === BACK) return BACK;
      if (answer === write) {
        memory.keep({ ...draft, question: typed });
        return void (await openQuestionEditor(typed));
      }
      if (typeof answer === 'string')
        return await withGuesses(parts, { ...draft, question: answer.trim(), isAsked: true, plan: undefined });
      const plan = planned && (await pickPlan(planned.name, kinds, draft.folder));
      return (
        plan &&
        (await withGuesses(parts, { ...draft, ...plan, kind: planned.name, isKindGuessed: false, isAsked: true }))
      );
    },
  };
}

function titleOf(words: KindTerms | undefined): string {
  return words ? translated(words.title) : vscode.l10n.t('Start Tree Search');
}

function kindSteps({ ownAnswers }: StepParts, descriptor: KindDescriptor): Step<Draft>[] {
  return questionsOf(descriptor, ownAnswers).map((ask, index) => ({
    isAnswered: ({ answers = [] }) => answers.length > index,
    ask: async (draft, place) => {
      const answer = await ask(place);
      if (answer === undefined || answer === BACK) return answer;
      return { ...draft, answers: (draft.answers ?? []).toSpliced(index, 1, answer) };
    },
  }));
}

/** Only where several are at hand and none was chosen yet: it is shown with the sizes, and can be changed there. */
function modelStep({ chooser }: StepParts, descriptor: KindDescriptor, first: Draft): Step<Draft>[] {
  const known = modelOf(first, descriptor) !== '';
  if (known && (first.model === undefined || first.isModelFound)) return [];
  return [
    {
      isAnswered: (draft) => modelOf(draft, descriptor) !== '',
      ask: async (draft, place) => {
        const model = await chooser.chooseAt(place, scopeOf(draft), descriptor.traits.needsProse, true);
        return model === undefined || model === BACK ? model : { ...draft, model, isModelFound: false };
      },
    },
  ];
}

/** The model that a draft would begin with; empty if none is chosen, or the chosen one does not suit its kind. */
export function modelOf(draft: Draft, { traits }: Pick<KindDescriptor, 'traits'>): string {
  const { model } = settingsFor(scopeOf(draft));
  const chosen = draft.model ?? model; // maybe for another kind
  return traits.needsProse && chosen === FREE_MODEL ? '' : chosen;
}

export function scopeOf({ folder }: Draft): vscode.Uri | undefined {
  return folder === undefined ? undefined : vscode.Uri.file(folder);
}

interface LastItem extends vscode.QuickPickItem, Partial<Pick<SizeItem, 'size' | 'calls' | 'isBest'>> {
  readonly change?: 'model' | 'kind' | 'about' | 'more';
}

/** The last one: what begins with each size, and what else can be changed; a size begins the search. */
function sizeStep(parts: StepParts, descriptor: KindDescriptor): Step<Draft> {
  return {
    isAnswered: ({ size }) => size !== undefined,
    ask: async (first, place) => {
      let draft = first;
      for (;;) {
        const items = lastItems(parts, descriptor, draft);
        // One size alone is no question of its own where one follows, which says what the list does.
        const isSaidLater = draft === first && first.isAsPlanned && first.plan?.runsCommands;
        const only = isSaidLater ? (await items).find(({ isBest }) => isBest) : undefined;
        if (only) {
          const said = [only.detail, only.description].filter(Boolean).join(' · ');
          const expected = `${oneLine(modelOf(draft, descriptor), 100)}: ${said}`;
          return { ...draft, size: only.size, calls: only.calls, expected };
        }
        const picked = await pickStep<LastItem>(items, {
          place: { ...place, title: `${translated(descriptor.words.title)}: ${oneLine(draft.question ?? '', 60)}` },
          placeholder: draft.plan
            ? vscode.l10n.t('The search begins when you choose.')
            : vscode.l10n.t('How far may the search go? The search begins when you choose.'),
          isActive: ({ isBest }) => isBest === true,
          onButton: (item, change, signal) => {
            change({ ...item, detail: vscode.l10n.t('Being asked…') });
            const tested = parts.chooser.test(modelOf(draft, descriptor), scopeOf(draft), signal);
            void tested.then((said) => signal.aborted || change({ ...item, detail: oneLine(said, 500) }));
          },
        });
        if (picked === undefined || picked === BACK) return picked;
        if (picked.size !== undefined) return { ...draft, size: picked.size, calls: picked.calls };
        const changed = await changeOf(parts, descriptor, draft, picked.change, place);
        if (changed === undefined) return undefined;
        if (changed !== BACK && changed.kind !== draft.kind) return changed;
        if (changed !== BACK) draft = changed;
      }
    },
  };
}

/** Back from what is changed there leads to the sizes again. */
async function changeOf(
  parts: StepParts,
  descriptor: KindDescriptor,
  draft: Draft,
  change: LastItem['change'],
  { totalSteps }: { readonly totalSteps: number },
): Promise<Answered<Draft>> {
  const place = { step: totalSteps, totalSteps };
  if (change === 'kind') return await changeKind(parts, draft, place);
  if (change === 'more') return await askMore(parts, descriptor, draft, place);
  if (change === 'about') return { ...draft, isAboutLeftOut: !draft.isAboutLeftOut };
  const model = await parts.chooser.chooseAt(place, scopeOf(draft), descriptor.traits.needsProse, false);
  return model === undefined || model === BACK ? model : { ...draft, model, isModelFound: false };
}

async function lastItems(parts: StepParts, descriptor: KindDescriptor, draft: Draft): Promise<LastItem[]> {
  const { about, isAboutLeftOut } = draft;
  const model = modelOf(draft, descriptor);
  const sizes = await sizeItems({
    usual: settingsFor(scopeOf(draft)).size,
    planned: draft.plan?.nodes,
    words: descriptor.words,
    isFree: parts.isFree(draft),
    limitsFor: (forecast) => parts.limitsFor(draft, forecast),
    forecast: (size) => parts.forecast(draft, size),
  });
  const changed = Object.entries(draft.more ?? {}).map(([name, value]) => `${name}: ${shownValue(value)}`);
  const test = { iconPath: new vscode.ThemeIcon('beaker'), tooltip: vscode.l10n.t('Test This Model') };
  const excerpt = {
    label: isAboutLeftOut ? '$(circle-slash) ' : '$(check) ',
    description: isAboutLeftOut
      ? vscode.l10n.t('is left out of the question')
      : vscode.l10n.t('is part of the question'),
  };
  return [
    {
      label: `$(${descriptor.words.icon}) ${translated(descriptor.words.title)}`,
      description: draft.isKindGuessed
        ? vscode.l10n.t('the kind of search, guessed from your words; choose another one…')
        : vscode.l10n.t('the kind of search; choose another one…'),
      change: 'kind',
    },
    ...sizes,
    { label: vscode.l10n.t('Model'), kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(chip) ${oneLine(model, 100)}`,
      description:
        model === FREE_MODEL
          ? vscode.l10n.t('no model: quotes, offline and free; choose another one…')
          : model.startsWith(`${EDITOR_PROVIDER}/`)
            ? vscode.l10n.t('the model; each call counts against your plan; choose another one…')
            : vscode.l10n.t('the model; choose another one…'),
      buttons: [test],
      change: 'model',
    },
    {
      label: `$(settings) ${vscode.l10n.t('More…')}`,
      description: changed.join(', ') || vscode.l10n.t('options of this kind of search, its judge, a recording'),
      change: 'more',
    },
    ...(about ? [{ ...excerpt, label: `${excerpt.label}${about.place}`, change: 'about' as const }] : []),
  ];
}

interface MoreItem extends vscode.QuickPickItem {
  readonly option?: OptionDescriptor;
  readonly other?: 'judge' | 'record';
}

/** Shows what else the search can be like, with the values that hold, and changes one after the other. */
async function askMore(
  parts: StepParts,
  descriptor: KindDescriptor,
  first: Draft,
  place: Omit<StepPlace, 'title'>,
): Promise<Answered<Draft>> {
  let draft = first;
  for (;;) {
    const { file, problem } = await parts.created(draft).then(withoutProblem, withProblem);
    const picked = await pickStep(moreItems(descriptor, draft, file), {
      place: { ...place, title: translated(descriptor.words.title) },
      placeholder: vscode.l10n.t('What is the search to be like? Each line shows what holds now.'),
      matchOnDetail: true,
    });
    if (picked === undefined) return undefined;
    if (picked === BACK || !(picked.option || picked.other)) return draft;
    const changed = await changedBy(parts, picked, { draft, file }, place);
    if (changed === undefined) return undefined;
    if (changed === BACK) continue;
    const refused = await parts.created(changed).then(withoutProblem, withProblem);
    // Of options that did not go together before, each may still be changed.
    if (refused.problem === undefined || refused.problem === problem) draft = changed;
    else void vscode.window.showWarningMessage(withoutLinks(refused.problem));
  }
}

interface Tried {
  readonly file?: SearchFile;
  readonly problem?: string;
}

const withoutProblem = (file: SearchFile): Tried => ({ file });
const withProblem = (error: unknown): Tried => ({ problem: messageText(toThoughtTreeError(error).say) });

function moreItems(descriptor: KindDescriptor, draft: Draft, file: SearchFile | undefined): MoreItem[] {
  const { more = {}, judge = settingsFor(scopeOf(draft)).judgeModel, record } = draft;
  const own = descriptor.options.filter(({ hidden, isOfUncommitted }) => !hidden && !isOfUncommitted);
  const isFree = modelOf(draft, descriptor) === FREE_MODEL;
  return [
    { label: `$(check) ${vscode.l10n.t('Done')}`, description: vscode.l10n.t('back to the sizes') },
    ...own.map((option) => ({
      label: `${Object.hasOwn(more, option.name) ? '$(edit) ' : ''}${wordsOfFlag(option)}`,
      description: oneLine(shownValue(valueIn(file, option)), 200),
      detail: translated(option.help),
      option,
    })),
    ...(isFree
      ? []
      : [
          {
            label: `${draft.judge === undefined ? '' : '$(edit) '}${vscode.l10n.t('judge model')}`,
            description: judge || vscode.l10n.t('The same model as for the rest'),
            detail: vscode.l10n.t('what picks and scores (default: the model itself)'),
            other: 'judge' as const,
          },
        ]),
    {
      label: `${record === undefined ? '' : '$(edit) '}${vscode.l10n.t('recording')}`,
      description: record ?? vscode.l10n.t('No'),
      detail: vscode.l10n.t('write every request and answer there; replay/FILE answers from it again'),
      other: 'record',
    },
  ];
}

/** Returns the words of its flag on the command line. */
function wordsOfFlag({ name, flag }: OptionDescriptor): string {
  return (flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)).replaceAll('-', ' ');
}

function valueIn(
  file: SearchFile | undefined,
  { name, field, default: usual }: OptionDescriptor,
): OptionValue | undefined {
  if (field === 'strategy') return file?.strategy ?? usual;
  return (file?.options as Choices | undefined)?.[name] ?? usual;
}

async function changedBy(
  { chooser }: StepParts,
  { option, other }: MoreItem,
  { draft, file }: { draft: Draft; file: SearchFile | undefined },
  place: Omit<StepPlace, 'title'>,
): Promise<Answered<Draft>> {
  if (other === 'judge') {
    const judge = await chooser.chooseJudgeAt(place, scopeOf(draft));
    return judge === undefined || judge === BACK ? judge : { ...draft, judge };
  }
  if (other === 'record') {
    const defaultUri = vscode.Uri.file(join(draft.folder ?? '', 'recording.jsonl'));
    // Chosen once more, it is left out.
    const uri = draft.record === undefined ? await vscode.window.showSaveDialog({ defaultUri }) : undefined;
    return { ...draft, record: uri?.fsPath };
  }
  if (!option) return BACK;
  const value = await askOption(option, { ...place, title: translated(option.help) }, valueIn(file, option));
  if (value === undefined || value === BACK) return value;
  const { [option.name]: _, ...others } = draft.more ?? {};
  return { ...draft, more: value === BY_DEFAULT ? others : { ...others, [option.name]: value } };
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
