import type { HostMessage } from '../../src/protocol/host-message.ts';
import type { ViewMessage } from '../../src/protocol/view-message.ts';

/** What browsers can draw: the longest side and the area, in pixels. */
const LONGEST = 16_000;
const LARGEST = 120_000_000;
/** Sharp enough to be read when it is printed. */
const SHARP = 2;

type Wanted = Extract<HostMessage, { readonly type: 'paint' }>;

/** Returns a picture of pixels, as a message; without one where the browser cannot draw it. */
export async function paintPicture({ number, svg }: Wanted): Promise<ViewMessage> {
  const png = await pngOf(svg);
  return { type: 'painted', number, ...(png === undefined ? {} : { png }) };
}

/** Returns an SVG file of our own as a PNG file, in base64. */
async function pngOf(svg: string): Promise<string | undefined> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = await loaded(url);
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(SHARP, LONGEST / width, LONGEST / height, Math.sqrt(LARGEST / (width * height)));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const data = canvas.toDataURL('image/png');
    return data.startsWith('data:image/png;base64,') ? data.slice(data.indexOf(',') + 1) : undefined;
  } catch {
    return undefined;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  return new Promise((resolve, reject) => {
    image.onload = () => resolve(image);
    image.onerror = reject;
    image.src = url;
  });
}
