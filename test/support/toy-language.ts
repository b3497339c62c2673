import { englishTexts, type Texts } from '../../scripts/texts.ts';
import { KINDS } from '../../src/kinds/kinds.ts';

/**
 * Returns a language in which everything is said in quotation marks of its own, from the one file that a language has.
 */
export async function toyLanguage(root: string): Promise<Texts> {
  const english = await englishTexts(
    root,
    KINDS.map(({ descriptor }) => descriptor),
  );
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, `‹${text}›`]));
}
