import type { VNode } from 'preact';

interface Props {
  readonly label: string;
  readonly text: string;
  /** From 0 to 1; undefined if there is no limit. */
  readonly share: number | undefined;
  readonly title: string;
}

/** A figure in the bar, above a strip that shows its share of the limit. */
export function Meter({ label, text, share, title }: Props): VNode {
  const width = Math.min(1, Math.max(0, share ?? 0));
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd>
        {text}
        {share !== undefined && (
          <span class={share > 0.8 ? 'meter tight' : 'meter'} aria-hidden="true">
            <span style={{ width: `${width * 100}%` }} />
          </span>
        )}
      </dd>
    </div>
  );
}
