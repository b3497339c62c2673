import type { VNode } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface Props {
  readonly name: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly 'aria-pressed'?: boolean;
  readonly 'aria-expanded'?: boolean;
}

/** Draws a button with an icon, whose name is its tooltip. */
export function IconButton({ name, label, ...rest }: Props): VNode {
  return (
    <button type="button" class="button icon-only" aria-label={label} title={label} {...rest}>
      <Icon name={name} />
    </button>
  );
}
