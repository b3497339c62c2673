import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../bars/icons.tsx';

/** A point of the window, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface MenuItem {
  readonly title: string;
  /** Its key in the drawing, if it has one. */
  readonly key?: string | undefined;
  /** Why it cannot be chosen, if it cannot. */
  readonly off?: string | undefined;
  readonly choose: () => void;
}

interface Props {
  readonly label: string;
  readonly place: Place;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** Draws a menu at a point of the window: arrow keys walk, Enter chooses, Escape closes. */
export function Menu({ label, place, items, onClose }: Props): VNode {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const menu = list.current;
    if (!menu) return;
    menu.style.left = `${Math.max(0, Math.min(place.x, window.innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(0, Math.min(place.y, window.innerHeight - menu.offsetHeight - 4))}px`;
    menu.querySelector('button')?.focus();
  }, [place]);
  const move = (by: number): void => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="backdrop" onPointerDown={(event) => event.target === event.currentTarget && onClose()}>
      <div ref={list} class="menu" role="menu" tabIndex={-1} aria-label={label} onKeyDown={onKeyDown}>
        {items.map(({ title, key, off, choose }) => (
          <button
            key={title}
            type="button"
            role="menuitem"
            title={off}
            aria-disabled={off !== undefined}
            onClick={() => {
              if (off !== undefined) return;
              onClose();
              choose();
            }}
          >
            <span>{title}</span>
            {key !== undefined && <kbd>{key}</kbd>}
          </button>
        ))}
      </div>
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** Draws a button with three dots, and a menu of what has no button of its own. */
export function MenuButton({ label, items }: ButtonProps): VNode {
  const [place, setPlace] = useState<Place | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const open = (): void => {
    const { left, bottom } = button.current?.getBoundingClientRect() ?? { left: 0, bottom: 0 };
    setPlace({ x: left, y: bottom + 4 });
  };
  const close = (): void => {
    setPlace(undefined);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button icon-only"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        onClick={open}
      >
        <Icon name="more" />
      </button>
      {place && <Menu label={label} place={place} items={items} onClose={close} />}
    </>
  );
}
