import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const MODULES = join(import.meta.dirname, '../../node_modules');
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // no test may need the internet
];

/**
 * A headless browser: the one that a package brings (Linux x64), or the installed Chrome or Edge that `CHROMIUM` names.
 * @throws Error where there is none
 */
export async function launchBrowser(): Promise<Browser> {
  const installed = process.env['CHROMIUM'];
  if (installed) return await chromium.launch({ executablePath: installed, args: ARGS });
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'Set CHROMIUM to the path of an installed Chrome or Edge: the one in the packages is for Linux x64.',
    );
  const home = await unpacked();
  const env = { ...process.env, FONTCONFIG_FILE: join(home, 'fonts.conf') };
  return await chromium.launch({ executablePath: join(home, 'chromium'), args: ARGS, env });
}

/** The folder of the browser, taken out of its package once. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(MODULES, '@sparticuz/chromium/package.json'), 'utf8'));
  const cache = join(MODULES, '.cache');
  const home = join(cache, `chromium-${version}`);
  if (existsSync(home)) return home;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(`${home}-`);
  try {
    await unpackInto(fresh);
    await writeFile(join(fresh, 'fonts.conf'), fontsConf(home));
    await rename(fresh, home).catch((error: unknown) => {
      if (!existsSync(home)) throw error; // another process was first
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return home;
}

async function unpackInto(folder: string): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder; // where the package unpacks to, and it takes what it finds there for whole
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** The package's own font knows no arrows, no check marks and no fixed width. */
function fontsConf(home: string): string {
  const dejavu = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  const prefer = (family: string, font: string) =>
    `<alias><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(home, 'fonts')}</dir><dir>${dejavu}</dir>
${prefer('monospace', 'DejaVu Sans Mono')}${prefer('sans-serif', 'DejaVu Sans')}${prefer('system-ui', 'DejaVu Sans')}
<cachedir>${join(home, 'font-cache')}</cachedir></fontconfig>
`;
}
