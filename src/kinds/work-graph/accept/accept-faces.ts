import type { ActionFace } from '../../../core/actions/action-face.ts';

/** The actions on the accepted work of a goal: look at it, bring it into one's own files, and take it back. */
export const ACCEPT_ACTIONS = {
  diff: {
    name: 'diff',
    on: 'both',
    title: 'Show changes',
    help: 'show what the accepted work changes, or what one atom does',
    args: [{ name: 'file', type: 'text', help: 'this file alone, as it was and as it is', most: 1000 }],
    prints: true,
    when: (search) => search.isDivided,
  },
  accept: {
    name: 'accept',
    on: 'search',
    title: 'Accept changes…',
    help: 'bring all accepted work into your own files; neither your index nor your branch changes',
    args: [
      { name: 'dryRun', type: 'boolean', help: 'only show what would change' },
      {
        name: 'undo',
        type: 'boolean',
        help: 'make the files of it what they were before, unless you changed them since',
      },
    ],
    prints: true,
    asksFirst: true,
    removes: true,
    when: (search) => search.isDivided,
  },
  // In a terminal it is `accept --undo`.
  'undo-accept': {
    name: 'undo-accept',
    on: 'search',
    title: 'Undo accepting…',
    help: 'make your files what they were before its work was accepted, unless you changed them since',
    args: [],
    isHosts: true,
    asCall: { action: 'accept', undo: true },
    removes: true,
    when: (search) => search.isDivided,
  },
} as const satisfies Readonly<Record<string, ActionFace>>;
