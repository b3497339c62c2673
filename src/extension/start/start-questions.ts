import * as vscode from 'vscode';
import type { EditorAnswer, KindDescriptor, OptionDescriptor, OptionValue } from '../../core/kind/kind-descriptor.ts';
import { translated } from '../message-text.ts';
import { type Answered, BACK, pickStep, type StepPlace, typeStep } from './walk-steps.ts';

/** Options of a kind by name, as chosen by a person. */
export type Choices = Readonly<Record<string, OptionValue>>;

/** Asks one question of a kind. */
export type KindQuestion = (place: Omit<StepPlace, 'title'>) => Promise<Answered<Choices>>;

/** Asks for the kind of a search; the one that was used last comes first. */
export async function askKind(
  descriptors: readonly KindDescriptor[],
  last: string | undefined,
  place: StepPlace,
): Promise<Answered<KindDescriptor>> {
  const inOrder = [...descriptors].sort((a, b) => Number(b.name === last) - Number(a.name === last));
  const items = inOrder.map((descriptor) => ({
    label: `$(${descriptor.words.icon}) ${translated(descriptor.words.title)}`,
    detail: translated(descriptor.words.detail),
    descriptor,
  }));
  const picked = await pickStep(items, { place, placeholder: vscode.l10n.t('Which kind of search is it?') });
  return picked === undefined || picked === BACK ? picked : picked.descriptor;
}

/**
 * Returns what a kind asks before a search of it begins.
 * @param own further answers to its first question, from the person's own settings; already translated
 */
export function questionsOf({ questions = [], options }: KindDescriptor, own: readonly EditorAnswer[]): KindQuestion[] {
  const several = questions.map(({ title, answers }, index): KindQuestion => {
    const shown = answers.map((answer) => ({ ...answer, ...translatedAnswer(answer) }));
    const items = index === 0 ? [...shown, ...own] : shown;
    return async (place) => {
      const how = { place: { ...place, title: translated(title) }, matchOnDetail: true };
      const picked = await pickStep(items, how);
      return picked === undefined || picked === BACK ? picked : picked.sets;
    };
  });
  const single = options.flatMap((option): KindQuestion[] => {
    const { question, name } = option;
    if (question === undefined) return [];
    return [
      async (place) => {
        const value = await askOption(option, { ...place, title: translated(question) });
        if (value === undefined || value === BACK) return value;
        return value === BY_DEFAULT ? {} : { [name]: value };
      },
    ];
  });
  return [...several, ...single];
}

function translatedAnswer({ label, detail }: EditorAnswer): Pick<EditorAnswer, 'label' | 'detail'> {
  return { label: translated(label), detail: translated(detail) };
}

/** The sign that an option is left to the search. */
export const BY_DEFAULT = Symbol('by default');

/** Returns the value of an option as people read it. */
export function shownValue(value: OptionValue | undefined): string {
  if (value === undefined) return vscode.l10n.t('By default');
  return typeof value === 'boolean' ? (value ? vscode.l10n.t('Yes') : vscode.l10n.t('No')) : String(value);
}

/**
 * Asks for the value of an option, and refuses those that it cannot have.
 * @param now the value that holds; by default its default
 */
export async function askOption(
  option: OptionDescriptor,
  place: StepPlace,
  now: OptionValue | undefined = option.default,
): Promise<Answered<OptionValue | typeof BY_DEFAULT>> {
  if (option.type === 'choice' || option.type === 'boolean') {
    const values: readonly OptionValue[] = option.type === 'boolean' ? [true, false] : (option.choices ?? []);
    const items = [
      { label: shownValue(undefined), value: BY_DEFAULT as OptionValue | typeof BY_DEFAULT },
      ...values.map((value) => ({ label: shownValue(value), value })),
    ];
    const picked = await pickStep(items, { place, isActive: ({ value }) => value === now });
    return picked === undefined || picked === BACK ? picked : picked.value;
  }
  const text = await typeStep({
    place,
    value: now === undefined ? '' : String(now),
    validate: (typed) => (fits(option, typed.trim()) ? undefined : refusalOf(option)),
  });
  if (text === undefined || text === BACK) return text;
  if (typeof text !== 'string' || text.trim() === '') return BY_DEFAULT;
  return option.type === 'name' || option.type === 'text' ? text.trim() : Number(text);
}

/** Tells whether an answer is empty, or has the option's type and range. */
function fits({ type, least, most }: OptionDescriptor, text: string): boolean {
  if (text === '') return true;
  if (type === 'name') return /^[a-z][a-z0-9-]{0,59}$/.test(text);
  if (type === 'text') return text.length <= (most ?? Number.POSITIVE_INFINITY);
  const value = Number(text);
  if (Number.isNaN(value) || (type === 'integer' && !Number.isInteger(value))) return false;
  return value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
}

function refusalOf({ type, least, most }: OptionDescriptor): string {
  if (type === 'name' || type === 'text' || least === undefined || most === undefined)
    return vscode.l10n.t('This cannot be used here.');
  return type === 'integer'
    ? vscode.l10n.t('It has to be a whole number from {0} to {1}.', least, most)
    : vscode.l10n.t('It has to be a number from {0} to {1}.', least, most);
}
