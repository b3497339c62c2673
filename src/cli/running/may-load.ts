import { loadPackage } from '../messages.ts';
import { inWords } from '../terminal/translation.ts';
import { askYes, canAsk } from './ask-yes.ts';

/** Tells whether the person wants a package run that may have come with the folder. */
export async function mayLoad(folder: string): Promise<boolean> {
  return canAsk() && (await askYes(inWords(loadPackage({ folder }))));
}
