import * as vscode from 'vscode';
import type { EditorAnswer, KindFace } from '../../core/kind/kind-face.ts';
import type { Forecast } from '../../core/money/forecast.ts';
import type { Guards, Size } from '../../core/search/limits.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { FREE_MODEL } from '../../searches/models/choose-model.ts';
import { translated } from '../kind-words.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import { settingsFor } from '../settings.ts';
import { pickPlan } from './plan-file.ts';
import { openQuestionEditor } from './question-editor.ts';
import { type SizeItem, sizeItems } from './sizes.ts';
import type { Draft, DraftMemory } from './start-draft.ts';
import { askKind, questionsOf } from './start-questions.ts';
import { type Answered, BACK, pickStep, type Step, typeStep } from './walk-steps.ts';

export interface StepParts {
  readonly kinds: Kinds;
  readonly faces: readonly KindFace[];
  readonly folders: readonly vscode.WorkspaceFolder[];
  readonly memory: DraftMemory;
  readonly chooser: Pick<ModelChooser, 'chooseAt' | 'test'>;
  /** The answers to a kind's first question that the person's own settings add. */
  readonly ownAnswers: readonly EditorAnswer[];
  /** Forecasts what a draft would use if nothing limited it; undefined if it has no foreseeable end. */
  readonly forecast: (draft: Draft, size: Size) => Promise<Forecast | undefined>;
  readonly guardsFor: (draft: Draft, forecast: Forecast | undefined) => Guards;
  readonly isFree: (draft: Draft) => boolean;
}

/** The steps from nothing to a search that can begin: as few as what is known allows. */
export function startSteps(parts: StepParts, draft: Draft): Step<Draft>[] {
  const face = parts.faces.find(({ name }) => name === draft.kind);
  return [
    ...(parts.folders.length > 1 ? [folderStep(parts)] : []),
    kindStep(parts),
    ...(face ? [questionStep(parts, face), ...kindSteps(parts, face), ...modelStep(parts, face, draft)] : []),
    ...(face ? [sizeStep(parts, face)] : []),
  ];
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

function kindStep({ faces, memory }: StepParts): Step<Draft> {
  return {
    isAnswered: ({ kind }) => kind !== undefined,
    ask: async (draft, place) => {
      const last = draft.kind ?? memory.typed.kind ?? memory.lastKind;
      const face = await askKind(faces, last, { ...place, title: vscode.l10n.t('Start Tree Search') });
      if (face === undefined || face === BACK) return face;
      if (face.name === draft.kind) return draft;
      return { ...draft, kind: face.name, answers: undefined, plan: undefined };
    },
  };
}

function questionStep({ kinds, memory }: StepParts, face: KindFace): Step<Draft> {
  const { words, takesWork } = face;
  return {
    isAnswered: ({ isAsked }) => isAsked === true,
    ask: async (draft, place) => {
      const { question = '', about } = draft;
      // An input of one line would join the lines of this one.
      if (question.trim().includes('\n')) {
        memory.keep(draft); // it begins from the editor, as what was chosen until now
        return void (await openQuestionEditor(question));
      }
      const write = button('edit', vscode.l10n.t('Write in an Editor, in Several Lines'));
      const byPlan = button('file', vscode.l10n.t('Use a Plan in a File…'));
      let typed = question;
      const answer = await typeStep({
        place: { ...place, title: about ? vscode.l10n.t('Ask About {0}', about.place) : translated(words.title) },
        prompt: translated(words.question),
        placeholder: translated(words.example),
        value: question,
        validate: (text) => (text.trim() === '' ? vscode.l10n.t('Ask a question.') : undefined),
        buttons: [write, ...(takesWork ? [byPlan] : [])],
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
      if (typeof answer === 'string') return { ...draft, question: answer.trim(), isAsked: true, plan: undefined };
      const planned = await pickPlan(face, kinds);
      return planned && { ...draft, ...planned, isAsked: true };
    },
  };
}

function kindSteps({ ownAnswers }: StepParts, face: KindFace): Step<Draft>[] {
  return questionsOf(face, ownAnswers).map((ask, index) => ({
    isAnswered: ({ answers = [] }) => answers.length > index,
    ask: async (draft, place) => {
      const answer = await ask(place);
      if (answer === undefined || answer === BACK) return answer;
      return { ...draft, answers: (draft.answers ?? []).toSpliced(index, 1, answer) };
    },
  }));
}

/** Only where none is known yet: it is shown with the sizes, and can be changed there. */
function modelStep({ chooser }: StepParts, face: KindFace, first: Draft): Step<Draft>[] {
  const known = modelOf(first, face) !== '';
  if (known && first.model === undefined) return [];
  return [
    {
      isAnswered: (draft) => modelOf(draft, face) !== '',
      ask: async (draft, place) => {
        const model = await chooser.chooseAt(place, scopeOf(draft), face.needsProse);
        return model === undefined || model === BACK ? model : { ...draft, model };
      },
    },
  ];
}

/** The model that a draft would begin with; empty if none is chosen, or the chosen one does not suit its kind. */
export function modelOf(draft: Draft, { needsProse }: Pick<KindFace, 'needsProse'>): string {
  const { model } = settingsFor(scopeOf(draft));
  const chosen = draft.model ?? model; // maybe for another kind
  return needsProse && chosen === FREE_MODEL ? '' : chosen;
}

export function scopeOf({ folder }: Draft): vscode.Uri | undefined {
  return folder === undefined ? undefined : vscode.Uri.file(folder);
}

interface LastItem extends vscode.QuickPickItem, Partial<Pick<SizeItem, 'size' | 'calls'>> {
  readonly change?: 'model' | 'kind' | 'about';
}

/** The last one: what begins with each size, and what else can be changed; a size begins the search. */
function sizeStep(parts: StepParts, face: KindFace): Step<Draft> {
  return {
    isAnswered: ({ size }) => size !== undefined,
    ask: async (first, place) => {
      let draft = first;
      for (;;) {
        const picked = await pickStep<LastItem>(lastItems(parts, face, draft), {
          place: { ...place, title: oneLine(draft.question ?? '', 80) },
          placeholder: vscode.l10n.t('How far may the search go? The search begins when you choose.'),
          onButton: (item, change, signal) => {
            change({ ...item, detail: vscode.l10n.t('Being asked…') });
            const tested = parts.chooser.test(modelOf(draft, face), scopeOf(draft), signal);
            void tested.then((said) => signal.aborted || change({ ...item, detail: oneLine(said, 500) }));
          },
        });
        if (picked === undefined || picked === BACK) return picked;
        if (picked.size !== undefined) return { ...draft, size: picked.size, calls: picked.calls };
        const changed = await changeOf(parts, face, draft, picked.change, place);
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
  face: KindFace,
  draft: Draft,
  change: LastItem['change'],
  { totalSteps }: { readonly totalSteps: number },
): Promise<Answered<Draft>> {
  const place = { step: totalSteps, totalSteps };
  if (change === 'kind') return await kindStep(parts).ask(draft, place);
  if (change === 'about') return { ...draft, isAboutLeftOut: !draft.isAboutLeftOut };
  const model = await parts.chooser.chooseAt(place, scopeOf(draft), face.needsProse);
  return model === undefined || model === BACK ? model : { ...draft, model };
}

async function lastItems(parts: StepParts, face: KindFace, draft: Draft): Promise<LastItem[]> {
  const { about, isAboutLeftOut } = draft;
  const sizes = await sizeItems({
    usual: settingsFor(scopeOf(draft)).size,
    words: face.words,
    isFree: parts.isFree(draft),
    guardsFor: (forecast) => parts.guardsFor(draft, forecast),
    forecast: (size) => parts.forecast(draft, size),
  });
  const test = { iconPath: new vscode.ThemeIcon('beaker'), tooltip: vscode.l10n.t('Test This Model') };
  const excerpt = {
    label: isAboutLeftOut ? '$(circle-slash) ' : '$(check) ',
    description: isAboutLeftOut
      ? vscode.l10n.t('is left out of the question')
      : vscode.l10n.t('is part of the question'),
  };
  return [
    ...sizes,
    { label: vscode.l10n.t('With'), kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(chip) ${oneLine(modelOf(draft, face), 100)}`,
      description: vscode.l10n.t('the model; choose another one…'),
      buttons: [test],
      change: 'model',
    },
    {
      label: `$(${face.words.icon}) ${translated(face.words.title)}`,
      description: vscode.l10n.t('the kind of search; choose another one…'),
      change: 'kind',
    },
    ...(about ? [{ ...excerpt, label: `${excerpt.label}${about.place}`, change: 'about' as const }] : []),
  ];
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
