import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from '../../../host/workbench.ts';

const SHOWN = join(import.meta.dirname, '../../../../media/screenshots');
/** Text stays sharp, in half of what PNG takes. */
const QUALITY = 0.85;

/** What a notification of an earlier test says is not part of the picture. */
const UNRELATED = '.notifications-toasts { display: none !important; }';

/** Takes a picture; `PICTURES=1` puts it where README shows it, as WebP. */
export async function savePicture(window: Workbench, name: string): Promise<void> {
  await window.screenshot(name);
  if (!process.env['PICTURES']) return;
  const picture = await window.page.screenshot({ style: UNRELATED });
  const page = await window.context.newPage();
  try {
    const taken = `data:image/png;base64,${picture.toString('base64')}`;
    const webp = await page.evaluate(inWebp, { taken, quality: QUALITY });
    writeFileSync(join(SHOWN, `${name}.webp`), Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64'));
  } finally {
    await page.close();
  }
}

/** What is used here of the page's own world, whose types this project does without. */
interface Drawable {
  src: string;
  readonly width: number;
  readonly height: number;
  decode(): Promise<void>;
}
interface PageGlobals {
  readonly Image: new () => Drawable;
  readonly document: {
    createElement(name: 'canvas'): {
      width: number;
      height: number;
      getContext(kind: '2d'): { drawImage(image: Drawable, x: number, y: number): void };
      toDataURL(type: string, quality: number): string;
    };
  };
}

/** A picture as a `data:` address of the type WebP; runs in the page, which alone can encode it. */
async function inWebp({ taken, quality }: { taken: string; quality: number }): Promise<string> {
  const { Image, document } = globalThis as unknown as PageGlobals;
  const image = new Image();
  image.src = taken;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality);
}
