import type { ApiKeys } from './api-keys.ts';
import { KeyPrompts } from './key-prompts.ts';
import { ModelChooser } from './model-chooser.ts';
import type { ModelOpener } from './model-opener.ts';
import { ModelTester, ServerPrompts } from './server-prompts.ts';

/** Choosing models and setting keys: a bundle of its own, as most windows do neither. */
export const choosing = {
  open(keys: ApiKeys, opener: ModelOpener): { readonly chooser: ModelChooser; readonly prompts: KeyPrompts } {
    const tester = new ModelTester(opener);
    const prompts = new KeyPrompts(keys);
    const servers = new ServerPrompts({ keys, prompts, tester });
    return { prompts, chooser: new ModelChooser({ keys, prompts, servers, tester }) };
  },
};
