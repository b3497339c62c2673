import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../bars/icons.tsx';
import { l10n } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';

/** How long it shows that something was copied, in milliseconds. */
const SHOWN_MS = 1500;

interface Props {
  readonly store: PanelStore;
  readonly text: string;
  readonly label: string;
}

/** Puts a text into the clipboard. */
export function CopyButton({ store, text, label }: Props): VNode {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (): Promise<void> => {
    await intoClipboard(text);
    store.say(l10n.t('Copied.'));
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button
      type="button"
      class="button icon-only"
      aria-label={label}
      title={label}
      onClick={() => void copy().catch((error: unknown) => store.say(String(error)))}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
    </button>
  );
}

/** @throws Error if the page must not do that */
async function intoClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page in a frame may be refused the clipboard itself, and not a copy of what is selected.
    const field = document.body.appendChild(document.createElement('textarea'));
    field.value = text;
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    if (!isCopied) throw new Error(l10n.t('The answer could not be copied. Select it, and copy it with the keyboard.'));
  }
}
