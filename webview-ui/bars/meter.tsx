import type { VNode } from 'preact';

interface Props {
  readonly label: string;
  readonly text: string;
  /** From 0 to 1; undefined if there is no limit. */
  readonly share: number | undefined;
  readonly title: string;
  /** Whether coming close to the limit is something to look out for. */
  readonly isLimit?: boolean;
}

/** Beyond this share of a limit there is little left. */
const TIGHT = 0.8;

/** Draws a figure above a strip that shows its share of a limit. */
export function Meter({ label, text, share, title, isLimit = false }: Props): VNode {
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd>
        {text}
        {share !== undefined && <Strip share={share} isLimit={isLimit} />}
      </dd>
    </div>
  );
}

/** Draws how much of something is used. */
export function Strip({ share, isLimit }: { readonly share: number; readonly isLimit: boolean }): VNode {
  const width = Math.min(1, Math.max(0, share));
  return (
    <span class={isLimit && share > TIGHT ? 'meter tight' : 'meter'} aria-hidden="true">
      <span style={{ width: `${width * 100}%` }} />
    </span>
  );
}
