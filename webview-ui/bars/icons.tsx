import type { VNode } from 'preact';
import { glyphOf, type Marked } from '../../src/drawing/glyphs.ts';

/** Draws a node's shape, as in the drawing. */
export function StatusIcon({ node }: { readonly node: Marked }): VNode {
  const { name, fill, stroke, mark } = glyphOf(node);
  return (
    <svg
      class={`glyph ${node.look && node.path !== '' && node.status !== 'pruned' ? `tone-${node.look.tone}` : name}`}
      viewBox="0 0 14 14"
      width="14"
      height="14"
      aria-hidden="true"
    >
      {fill && <path class="fill" d={fill} />}
      {stroke && <path class="stroke" d={stroke} />}
      {mark && <path class="mark" d={mark} />}
    </svg>
  );
}

const PATHS = {
  pause: 'M5 3v10M11 3v10',
  resume: 'M4.5 2.8L12.5 8L4.5 13.2Z',
  finish: 'M3 14V2.5H12.5L10.5 5.5L12.5 8.5H3',
  report: 'M4 1.8H10L13 4.8V14.2H4ZM6 7.5H11M6 10.5H11',
  note: 'M2.5 3H13.5V11H8L5 13.8V11H2.5Z',
  grow: 'M8 13.5V3M4 7L8 3L12 7',
  plus: 'M8 3V13M3 8H13',
  minus: 'M3 8H13',
  fit: 'M2.5 6V2.5H6M10 2.5H13.5V6M13.5 10V13.5H10M6 13.5H2.5V10',
  follow: 'M8 1.5V4M8 12V14.5M1.5 8H4M12 8H14.5M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6Z',
  save: 'M8 2V10M4.5 6.8L8 10.2L11.5 6.8M3 13.5H13',
  tree: 'M8 2.5V8M3.5 13.5V10.5Q3.5 8 6 8H10Q12.5 8 12.5 10.5V13.5',
  calls: 'M2.5 4H8.5M5 8H12M9.5 12H13.5',
  close: 'M4 4L12 12M12 4L4 12',
  legend: 'M2.5 4.5h2M2.5 8h2M2.5 11.5h2M7 4.5h6.5M7 8h6.5M7 11.5h6.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  filter: 'M2 3.5H14M4.5 8H11.5M6.5 12.5H9.5',
  left: 'M10 3.5L5.5 8L10 12.5',
  right: 'M6 3.5L10.5 8L6 12.5',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.8-4.1L2.5 5.5M2.5 2.2V5.5H5.8M8 5V8.3L10.3 9.8',
  up: 'M3.5 10L8 5.5L12.5 10',
  down: 'M3.5 6L8 10.5L12.5 6',
  check: 'M2.8 8.6L6.4 12L13.2 4.4',
  copy: 'M5.5 5.5V2.5H13.5V10.5H10.5M2.5 5.5H10.5V13.5H2.5Z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9ZM10.3 10.3L14 14',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
