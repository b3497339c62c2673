import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How long a pointer rests on a button before its details appear, and how long it may leave them, in milliseconds. */
const APPEAR_MS = 250;
const LEAVE_MS = 200;
/** Between a button and what it opens, and around it, in pixels. */
const GAP = 4;

/** Shut; open while it is looked at, by a pointer or by keyboard focus; open until it is closed. */
type Opening = 'shut' | 'looked-at' | 'pinned';

interface Shown {
  readonly current: HTMLElement | null;
}

interface Props {
  /** Names what it opens and, if nothing on the button can be read, the button. */
  readonly label: string;
  readonly isReadable?: boolean;
  /** What is on the button. */
  readonly face: ComponentChildren;
  /** Of the button. */
  readonly class: string;
  /** What the button says in addition to its name: how many things are in it. */
  readonly tooltip?: string;
  /** Whether hover and keyboard focus open it as well. */
  readonly isDetails?: boolean;
  readonly children: () => ComponentChildren;
}

/** Draws a button that opens a box below itself. Escape closes the box, and so does a click anywhere else. */
export function Popover({
  label,
  face,
  class: name,
  tooltip,
  isDetails = false,
  isReadable = false,
  children,
}: Props): VNode {
  const [opening, setOpening] = useState<Opening>('shut');
  const whole = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isOpen = opening !== 'shut';
  const soon = (ms: number, to: Opening): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpening((now) => (now === 'pinned' ? now : to)), ms);
  };
  const shut = (): void => {
    clearTimeout(timer.current);
    setOpening('shut');
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useOutside(whole, isOpen, shut);
  usePlace(button, box, isOpen);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    event.stopPropagation();
    shut();
    button.current?.focus();
  };
  const looks = isDetails && {
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && soon(APPEAR_MS, 'looked-at'),
    onPointerLeave: () => soon(LEAVE_MS, 'shut'),
    onFocusIn: () => button.current?.matches(':focus-visible') && soon(0, 'looked-at'),
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles what its button and its box do not
    <span ref={whole} class="popover-place" onKeyDown={onKeyDown} {...looks}>
      <button
        ref={button}
        type="button"
        class={name}
        aria-label={isReadable ? undefined : label}
        title={tooltip}
        aria-expanded={isOpen}
        onClick={() => (opening === 'pinned' ? shut() : setOpening('pinned'))}
      >
        {face}
      </button>
      {isOpen && (
        <section ref={box} class="popover" tabIndex={-1} aria-label={label}>
          {children()}
        </section>
      )}
    </span>
  );
}

/** Calls back when a pointer or the focus goes elsewhere. */
function useOutside(whole: Shown, isOpen: boolean, onLeave: () => void): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const look = ({ target }: Event): void => {
      if (target instanceof Node && !whole.current?.contains(target)) onLeave();
    };
    document.addEventListener('pointerdown', look, true);
    document.addEventListener('focusin', look);
    return () => {
      document.removeEventListener('pointerdown', look, true);
      document.removeEventListener('focusin', look);
    };
  }, [isOpen]);
}

/** Keeps the box below its button, in the window. */
function usePlace(button: Shown, box: Shown, isOpen: boolean): void {
  const place = (): void => {
    const [from, to] = [button.current?.getBoundingClientRect(), box.current];
    if (!from || !to) return;
    to.style.maxHeight = `${window.innerHeight - from.bottom - 3 * GAP}px`;
    to.style.top = `${from.bottom + GAP}px`;
    to.style.left = `${Math.max(GAP, Math.min(from.left, window.innerWidth - to.offsetWidth - GAP))}px`;
  };
  useLayoutEffect(place);
  useEffect(() => {
    if (!isOpen) return undefined;
    window.addEventListener('resize', place);
    return () => window.removeEventListener('resize', place);
  }, [isOpen]);
}
