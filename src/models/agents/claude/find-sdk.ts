import { readFile, realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import { ThoughtTreeError } from '../../../core/search/errors.ts';
import * as say from '../../messages.ts';
import type { AgentOptions } from '../agent.ts';

const PACKAGE = '@anthropic-ai/claude-agent-sdk';
/** The variable that names its folder. */
const PATH_VARIABLE = 'THOUGHT_TREE_CLAUDE_SDK';

const Manifest = z.looseObject({ name: z.literal(PACKAGE), main: z.string().max(200) });

/**
 * Finds the module of the Claude Agent SDK that the user has installed: in the place that the user names, next to this
 * program, globally, or in the workspace and above it. Those last ones may have come with a clone, of which the workspace may
 * be a part: they run only if the person agrees to exactly that folder.
 * @returns the URL of the module
 * @throws ThoughtTreeError `bad-input`, saying how to get it
 */
export async function findSdk(workspace: string, options: AgentOptions, env: NodeJS.ProcessEnv): Promise<string> {
  const named = options.path ?? env[PATH_VARIABLE]?.trim();
  if (named) {
    const found = (await moduleIn(named)) ?? (await moduleIn(packageIn(named))) ?? (await moduleIn(below(named)));
    if (found) return found;
    throw new ThoughtTreeError('bad-input', say.noSdkThere({ folder: named, variable: PATH_VARIABLE, how: HOW }));
  }
  for (const folder of placesFor(workspace, env)) {
    const found = await moduleIn(packageIn(folder));
    if (found === undefined) continue;
    const isForeign = isBrought(folder, workspace) || isBrought(fileURLToPath(found), await realPath(workspace));
    if (!isForeign || (await options.mayLoad?.(packageIn(folder)))) return found;
    throw new ThoughtTreeError('bad-input', say.sdkInWorkspace({ variable: PATH_VARIABLE, folder: packageIn(folder) }));
  }
  throw new ThoughtTreeError('bad-input', say.noSdk({ how: HOW }));
}

const HOW = say.howToInstallSdk({ package: PACKAGE, variable: PATH_VARIABLE });

function packageIn(modules: string): string {
  return join(modules, ...PACKAGE.split('/'));
}

function below(folder: string): string {
  return packageIn(join(folder, 'node_modules'));
}

/** Where packages may be; those that may have come with the workspace are last. */
function placesFor(workspace: string, env: NodeJS.ProcessEnv): string[] {
  const own = above(dirname(fileURLToPath(import.meta.url)));
  // Where npm installs global packages: next to the folder of its programs, or in it on Windows.
  const programs = [dirname(process.execPath), ...(env['PATH'] ?? '').split(delimiter).filter(isAbsolute)];
  const global = programs.flatMap((folder) => [
    join(folder, '..', 'lib', 'node_modules'),
    join(folder, 'node_modules'),
  ]);
  const all = [...new Set([...own, ...global, ...above(workspace)])];
  const isForeign = (folder: string): boolean => isBrought(folder, workspace);
  return [...all.filter((folder) => !isForeign(folder)), ...all.filter(isForeign)];
}

/** Tells whether a folder may have come with the workspace: it is in it, or in the packages of a folder above it. */
function isBrought(folder: string, workspace: string): boolean {
  return isWithin(folder, workspace) || above(workspace).some((modules) => isWithin(folder, modules));
}

/** The `node_modules` of a folder and of all above it, as Node looks for packages. */
function above(folder: string): string[] {
  const parent = dirname(folder);
  return [join(folder, 'node_modules'), ...(parent === folder ? [] : above(parent))];
}

async function realPath(folder: string): Promise<string> {
  return await realpath(folder).catch(() => folder);
}

function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return !isAbsolute(between) && !between.startsWith('..');
}

/** The main module according to a package's package.json; undefined if there is no such package. */
async function moduleIn(folder: string): Promise<string | undefined> {
  try {
    const { main } = Manifest.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
    const file = await realpath(join(folder, main));
    return isWithin(file, await realpath(folder)) ? pathToFileURL(file).href : undefined;
  } catch {
    return undefined;
  }
}
