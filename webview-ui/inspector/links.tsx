import type { VNode } from 'preact';
import type { LinkDescriptors } from '../../src/drawing/layout/layer-layout.ts';
import type { GraphLink } from '../../src/protocol/graph-node.ts';
import { l10n, said } from '../state/l10n.ts';
import type { PanelStore } from '../state/panel-store.ts';
import { short, titled } from '../state/texts.ts';

interface Props {
  readonly store: PanelStore;
  readonly links: readonly GraphLink[];
}

/** Draws the nodes that a node is linked with, each one click away; one that is gone is said to be. */
export function Links({ store, links }: Props): VNode {
  return (
    <section>
      <h3>{l10n.t('Links')}</h3>
      <ul class="links">
        {links.map((link, index) => (
          <li key={`${index} ${link.type}`} dir="auto">
            {short(linkText(link, store.descriptors.value))} <Other store={store} link={link} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In the words of its kind, if that draws such links. */
function linkText({ type, isIncoming }: GraphLink, descriptors: LinkDescriptors | undefined): string {
  const descriptor = descriptors && Object.hasOwn(descriptors, type) ? descriptors[type] : undefined;
  if (descriptor) return said(isIncoming ? descriptor.incoming : descriptor.text);
  return isIncoming ? l10n.t('{0}, from', type) : type;
}

function Other({ store, link: { path, title } }: { readonly store: PanelStore; readonly link: GraphLink }): VNode {
  if (path === undefined) return <span class="dim">{l10n.t('{0} (gone)', short(title))}</span>;
  return (
    <button type="button" class="link" dir="auto" onClick={() => store.reveal(path)}>
      {titled(title)}
    </button>
  );
}
