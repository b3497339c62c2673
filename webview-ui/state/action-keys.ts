import { l10n } from './l10n.ts';

const KEYS: Readonly<Record<string, string>> = {
  expand: l10n.t('Ctrl+Enter'),
  prune: l10n.t('Delete'),
  undo: l10n.t('Ctrl+Z'),
};

/** Returns the action's key in the drawing, if it has one. */
export function keyOf(action: string): string | undefined {
  return KEYS[action];
}
