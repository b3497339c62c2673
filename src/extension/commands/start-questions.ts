import * as vscode from 'vscode';
import type { Forecast } from '../../core/money/forecast.ts';
import type { EditorAnswer, KindFace, OptionFace, OptionValue } from '../../core/search/kind-face.ts';
import type { Size } from '../../core/search/limits.ts';
import { forecastWords } from '../forecast-words.ts';
import { translated } from '../kind-words.ts';

/** Options of a kind by name, as chosen by a person. */
export type Choices = Readonly<Record<string, OptionValue>>;

/** @param last the name of the previously chosen kind, which comes first */
export async function askKind(faces: readonly KindFace[], last: string | undefined): Promise<KindFace | undefined> {
  const inOrder = [...faces].sort((a, b) => Number(b.name === last) - Number(a.name === last));
  const items = inOrder.map((face) => ({
    label: `$(${face.words.icon}) ${translated(face.words.title)}`,
    detail: translated(face.words.detail),
    face,
  }));
  const title = vscode.l10n.t('Start Tree Search');
  const placeHolder = vscode.l10n.t('What is the search for?');
  return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.face;
}

/**
 * Asks for options of a kind.
 * @param own further answers to its first question, from the person's own settings; already translated
 * @returns undefined if the person cancels
 */
export async function askOptions(
  { questions = [], options }: KindFace,
  own: readonly EditorAnswer[],
): Promise<Choices | undefined> {
  let chosen: Choices = {};
  for (const [index, { title, answers }] of questions.entries()) {
    const shown = answers.map(({ label, detail, sets }) => ({
      label: translated(label),
      detail: translated(detail),
      sets,
    }));
    const items = index === 0 ? [...shown, ...own] : shown;
    const how = { title: translated(title), ignoreFocusOut: true, matchOnDetail: true };
    const picked = await vscode.window.showQuickPick(items, how);
    if (!picked) return undefined;
    chosen = { ...chosen, ...picked.sets };
  }
  for (const option of options) {
    if (option.question === undefined) continue;
    const value = await askOption(option, option.question);
    if (value === undefined) return undefined;
    if (value !== BY_DEFAULT) chosen = { ...chosen, [option.name]: value };
  }
  return chosen;
}

const BY_DEFAULT = Symbol('by default');

async function askOption(option: OptionFace, question: string): Promise<OptionValue | typeof BY_DEFAULT | undefined> {
  const title = translated(question);
  if (option.type === 'choice' || option.type === 'boolean') {
    const values: readonly OptionValue[] = option.type === 'boolean' ? [true, false] : (option.choices ?? []);
    const label = (value: OptionValue): string =>
      typeof value === 'string' ? value : value ? vscode.l10n.t('Yes') : vscode.l10n.t('No');
    const items = [
      { label: vscode.l10n.t('By default'), value: BY_DEFAULT as OptionValue | typeof BY_DEFAULT },
      ...values.map((value) => ({ label: label(value), value })),
    ];
    return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.value;
  }
  const text = await vscode.window.showInputBox({
    title,
    value: option.default === undefined ? '' : String(option.default),
    ignoreFocusOut: true,
    validateInput: (typed) => (fits(option, typed.trim()) ? undefined : vscode.l10n.t('This cannot be used here.')),
  });
  if (text === undefined) return undefined;
  if (text.trim() === '') return BY_DEFAULT;
  return option.type === 'name' ? text.trim() : Number(text);
}

/** Whether an answer is empty, or has the option's type and range. */
function fits({ type, least, most }: OptionFace, text: string): boolean {
  if (text === '') return true;
  if (type === 'name') return /^[a-z][a-z0-9-]{0,59}$/.test(text);
  const value = Number(text);
  if (Number.isNaN(value) || (type === 'integer' && !Number.isInteger(value))) return false;
  return value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
}

/** As in `Size`, whose schema the extension loads later. */
const SIZES = ['small', 'medium', 'large', 'all'] as const satisfies readonly Size[];

/**
 * Asks for the size, each with its forecast; the usual one first.
 * @param forecast the forecast for a size; undefined if it has no foreseeable end
 */
export async function askSize(
  usual: Size,
  forecast: (size: Size) => Promise<Forecast | undefined>,
): Promise<Size | undefined> {
  const labels: Record<Size, string> = {
    small: vscode.l10n.t('Small: 20 expansions'),
    medium: vscode.l10n.t('Medium: 60 expansions'),
    large: vscode.l10n.t('Large: 200 expansions'),
    all: vscode.l10n.t('All: until nothing is open'),
  };
  const sizes = [usual, ...SIZES.filter((size) => size !== usual)];
  const items = Promise.all(
    sizes.map(async (size) => {
      const expected = await forecast(size).catch(() => undefined);
      const detail = expected ? forecastWords(expected) : vscode.l10n.t('until its budget is used up');
      return { label: labels[size], detail, size };
    }),
  );
  const title = vscode.l10n.t('How far may the search go?');
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.size;
}
