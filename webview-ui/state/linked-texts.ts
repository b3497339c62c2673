import type { LinkDescriptors } from '../../src/drawing/layout/layer-layout.ts';
import type { Layout } from '../../src/drawing/layout/tree-layout.ts';
import { l10n, said } from './l10n.ts';
import { short } from './texts.ts';

/** The most nodes that are named for each sort of link, and the most letters of each. */
const MOST = 5;
const LONGEST = 80;

/** Returns what the lines of a shown node say, in words: what it waits for, what waits for it. */
export function linkedTexts({ lines }: Layout, path: string, descriptors: LinkDescriptors | undefined): string[] {
  const titles = new Map<string, string[]>();
  const note = (text: string, title: string): void => {
    titles.set(text, [...(titles.get(text) ?? []), short(title, LONGEST)]);
  };
  for (const { type, from, to } of lines) {
    const descriptor = descriptors && Object.hasOwn(descriptors, type) ? descriptors[type] : undefined;
    if (!descriptor) continue;
    if (to.node.path === path) note(descriptor.text, from.node.data.title);
    if (from.node.path === path) note(descriptor.incoming, to.node.data.title);
  }
  return [...titles].map(([text, all]) => {
    const named = all.slice(0, MOST).join('; ');
    const more = all.length - MOST;
    return `${said(text)}: ${more > 0 ? l10n.t('{0} and {1} more', named, more) : named}`;
  });
}
