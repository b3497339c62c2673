import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Workbench } from '../../../host/workbench.ts';

const SHOWN = join(import.meta.dirname, '../../../../media/screenshots');

/** Takes a picture; `PICTURES=1` puts it where README shows it. */
export async function savePicture(window: Workbench, name: string): Promise<void> {
  const path = await window.screenshot(name);
  if (!process.env['PICTURES']) return;
  mkdirSync(SHOWN, { recursive: true });
  copyFileSync(path, join(SHOWN, `${name}.png`));
}
