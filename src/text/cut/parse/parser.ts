import { hasGrammar, type Language, type ParsedLanguage } from '../../files/languages.ts';
import type { Mark } from '../marks.ts';
import { marksByOutline } from '../outline.ts';
import { mostWork, SURELY_ENOUGH, SURELY_TOO_MUCH, TooMuchWork } from './bounded-work.ts';
import { type Outcome, TreeSitter } from './tree-sitter.ts';

let shared: TreeSitter | undefined;

/**
 * Finds in a text what its language's query looks for, or what looks like it by its lines; whatever was parsed before.
 * @throws if tree-sitter does, or if it takes too much work
 */
export async function parse(text: string, language: Language): Promise<readonly Mark[]> {
  return hasGrammar(language) ? await parseBounded(text, language) : marksByOutline(text, language.query);
}

async function parseBounded(text: string, language: ParsedLanguage): Promise<readonly Mark[]> {
  const most = mostWork(text.length);
  const tooMuch = Math.ceil(most * SURELY_TOO_MUCH);
  const { marks, work } = await findShared(text, language, tooMuch);
  if (work >= tooMuch) throw new TooMuchWork();
  if (marks && work <= most * SURELY_ENOUGH) return marks;
  const alone = await findAlone(text, language, most);
  if (!alone.marks) throw new TooMuchWork();
  return alone.marks;
}

/** Loads a language for later. Rejects if it cannot be loaded. */
export async function openLanguage(language: Language): Promise<void> {
  if (hasGrammar(language)) await sharedOne().load(language);
}

/** Whether a language is at hand, or being loaded. */
export function isOpen(language: Language): boolean {
  return !hasGrammar(language) || sharedOne().has(language);
}

async function findShared(text: string, language: ParsedLanguage, most: number): Promise<Outcome> {
  for (;;) {
    const one = sharedOne();
    try {
      const find = await one.load(language);
      if (!one.isSpent) return find(text, most);
    } catch (error) {
      if (!one.isSpent) throw error;
    }
    // Another text spent it meanwhile.
  }
}

async function findAlone(text: string, language: ParsedLanguage, most: number): Promise<Outcome> {
  const find = await new TreeSitter().load(language);
  return find(text, most);
}

function sharedOne(): TreeSitter {
  if (!shared || shared.isSpent) shared = new TreeSitter();
  return shared;
}
