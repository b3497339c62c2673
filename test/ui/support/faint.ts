import type { Page } from 'playwright-core';

/** What a page shows outside of its drawing, and what of it can hardly be told from what is behind it. */
export interface Contrasts {
  readonly words: number;
  readonly icons: number;
  /** Each with its contrast. */
  readonly faint: string[];
}

/**
 * Looks at every text and icon in sight. What is behind each is the colour of most pixels at its place, in a picture of the
 * page. A text has its own colour by its style, as strokes thinner than a pixel are paler than what they are drawn with; an icon
 * has that of its pixel that differs most. What cannot be used now may be fainter.
 */
export async function contrastsOf(page: Page): Promise<Contrasts> {
  const picture = (await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64');
  return await page.evaluate(async (png) => {
    type Rgb = readonly [number, number, number];
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const room = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = room.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
    context.drawImage(bitmap, 0, 0);

    const light = (rgb: Rgb): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a: Rgb, b: Rgb): number => {
      const [x, y] = [light(a), light(b)];
      return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    };
    /** The colours at a place, the one of most pixels first. */
    const coloursAt = ({ left, top, right, bottom }: DOMRect, margin: number): Rgb[] => {
      const [x, y] = [Math.max(0, Math.floor(left) - margin), Math.max(0, Math.floor(top) - margin)];
      const [width, height] = [Math.ceil(right) + margin - x, Math.ceil(bottom) + margin - y];
      const { data } = context.getImageData(x, y, Math.max(1, width), Math.max(1, height));
      const found = new Map<string, { rgb: Rgb; count: number }>();
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] === 0) continue; // outside of the picture
        const rgb = [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0] as const;
        const known = found.get(rgb.join());
        if (known) known.count++;
        else found.set(rgb.join(), { rgb, count: 1 });
      }
      return [...found.values()].sort((a, b) => b.count - a.count).map((each) => each.rgb);
    };
    const isOff = (element: Element): boolean => element.closest(':disabled, [aria-disabled=true]') !== null;
    const isInSight = (element: Element, { left, top, right, bottom, width, height }: DOMRect): boolean => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (width < 2 || height < 2 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
      // What takes no clicks is found below others.
      const over = document.elementsFromPoint(x, y).find((each) => each.tagName !== 'CANVAS');
      return (
        element.checkVisibility({ visibilityProperty: true }) &&
        (!over || over.contains(element) || element.contains(over))
      );
    };
    /** The colour of a text, on what is behind it. */
    const inkOf = (element: Element, behind: Rgb): Rgb => {
      const [r = 0, g = 0, b = 0, a = 1] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number);
      let share = a;
      for (let each: Element | null = element; each; each = each.parentElement)
        share *= Number(getComputedStyle(each).opacity);
      const mixed = [r, g, b].map((part, i) => part * share + (behind[i] ?? 0) * (1 - share));
      return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0];
    };
    const placeOf = (element: Element): string => {
      const names = [element.parentElement, element].map(
        (each) => `${each?.tagName.toLowerCase()}.${each?.getAttribute('class') ?? ''}`,
      );
      return names.join(' > ');
    };

    const faint: string[] = [];
    let [words, icons] = [0, 0];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? '';
      if (!element || text === '' || element.closest('script, style, canvas') || isOff(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const [rect] = range.getClientRects();
      if (!rect || !isInSight(element, rect)) continue;
      words++;
      const [behind = [0, 0, 0] as const] = coloursAt(rect, 1);
      const found = contrast(inkOf(element, behind), behind);
      if (found < 4.5) faint.push(`“${text.slice(0, 40)}” in ${placeOf(element)}: ${found.toFixed(2)}`);
    }
    for (const icon of document.body.querySelectorAll('svg')) {
      const rect = icon.getBoundingClientRect();
      if (isOff(icon) || !isInSight(icon, rect)) continue;
      icons++;
      const [behind = [0, 0, 0] as const, ...others] = coloursAt(rect, 2);
      const found = Math.max(1, ...others.map((each) => contrast(each, behind)));
      if (found < 3) faint.push(`icon in ${placeOf(icon)}: ${found.toFixed(2)}`);
    }
    return { words, icons, faint };
  }, picture);
}
