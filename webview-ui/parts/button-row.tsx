import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MenuButton, type MenuItem } from './menu.tsx';

interface RowItem extends MenuItem {
  /** Identifies it. */
  readonly name: string;
  readonly isPrimary?: boolean;
  readonly tooltip?: string | undefined;
}

interface Props {
  readonly label: string;
  /** Names the button for the rest. */
  readonly more: string;
  readonly items: readonly RowItem[];
}

/** Buttons in one row, as many as fit; the rest is in a menu behind them. */
export function ButtonRow({ label, more, items }: Props): VNode {
  const row = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(items.length);
  const names = items.map(({ title }) => title).join('\n');
  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const look = (): void => {
      // What does not fit wraps into a second row, which is clipped.
      const buttons = [...element.children] as HTMLElement[];
      const top = buttons[0]?.offsetTop ?? 0;
      const fits = buttons.findIndex(({ offsetTop }) => offsetTop > top);
      setShown(fits < 0 ? buttons.length : fits);
    };
    look();
    const size = new ResizeObserver(look);
    size.observe(element);
    return () => size.disconnect();
  }, [names]);
  const rest = items.slice(shown);
  return (
    <div class="button-row" role="toolbar" aria-label={label}>
      <div ref={row} class="fitting">
        {items.map(({ name, title, tooltip = title, isPrimary, off, choose }, index) => (
          <button
            key={name}
            type="button"
            class={`button${isPrimary ? ' primary' : ''}${index >= shown ? ' clipped' : ''}`}
            title={off ?? tooltip}
            disabled={off !== undefined}
            onClick={choose}
          >
            {title}
          </button>
        ))}
      </div>
      {rest.length > 0 && <MenuButton label={more} items={rest} />}
    </div>
  );
}
