import { mkdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { replaceFile } from '../../store/files/replace-file.ts';
import { leadsElsewhere } from '../messages.ts';

/**
 * *Install the Skill*: copies what tells agents how to work with tree searches to where other programs look for it. What is
 * there already is replaced only if the person says so.
 * @param extension the extension's own folder
 * @throws ThoughtTreeError `outside` if a folder there leads elsewhere
 */
export async function installSkill(extension: vscode.Uri): Promise<void> {
  const picked = await pickPlace();
  if (!picked) return;
  const { folder, files } = picked;
  if (folder !== homedir()) for (const { to } of files) await checkInside(folder, to);
  const made = await Promise.all(files.map(async (file) => ({ ...file, text: await textOf(extension, file) })));
  const states = await Promise.all(made.map(({ to, text }) => stateOf(join(folder, to), text)));
  const others = made.filter((_, i) => states[i] === 'other');
  if (others.length > 0 && !(await mayReplace(others.map(({ to }) => to)))) return;
  for (const { to, text } of made) await write(folder, to, text);
  const title = vscode.l10n.t('Installed in {0}.', join(folder, dirname(files[0]?.to ?? '')));
  const open = vscode.l10n.t('Open Skill');
  if ((await vscode.window.showInformationMessage(title, open)) === open)
    await vscode.window.showTextDocument(vscode.Uri.file(join(folder, files[0]?.to ?? '')));
}

interface Picked {
  readonly folder: string;
  readonly files: readonly AgentFile[];
}

async function pickPlace(): Promise<Picked | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const items = AGENT_PLACES.flatMap((place) => {
    const files = filesFor(place);
    const detail = files.map(({ to }) => to).join(' · ');
    const here = folders.map(({ name, uri }) => ({
      label: vscode.l10n.t('{0}, in this folder', place.name),
      ...(folders.length > 1 ? { description: name } : {}),
      detail,
      folder: uri.fsPath,
      files,
    }));
    const own = { label: vscode.l10n.t('{0}, for everything of yours', place.name), detail, folder: homedir(), files };
    return place.isPersonal ? [...here, own] : here;
  });
  const title = vscode.l10n.t('Install the Skill');
  const placeHolder = vscode.l10n.t('Whose agents are to know tree searches? Those of VS Code do already.');
  return await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: true });
}

async function textOf(extension: vscode.Uri, file: AgentFile): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'media', 'agents', file.from));
  return contentFor(file, new TextDecoder().decode(bytes));
}

/** Tells what is where a file is to be written. */
async function stateOf(path: string, text: string): Promise<'missing' | 'same' | 'other'> {
  try {
    return (await readFile(path, 'utf8')) === text ? 'same' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'other';
  }
}

async function mayReplace(paths: readonly string[]): Promise<boolean> {
  const yes = vscode.l10n.t('Replace');
  const question = vscode.l10n.t('Replace what is there? Changes that were made to it are lost.');
  const options = { modal: true, detail: paths.join('\n') };
  return (await vscode.window.showWarningMessage(question, options, yes)) === yes;
}

async function write(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, text);
}

/**
 * A folder that came with a clone may be a link: what is written there would be elsewhere.
 * @throws ThoughtTreeError `outside`
 */
export async function checkInside(folder: string, path: string): Promise<void> {
  const root = await realpath(folder);
  const parts = dirname(path).split('/');
  for (const [i] of parts.entries()) {
    const named = join(...parts.slice(0, i + 1));
    const real = await realpath(join(root, named)).catch(() => undefined);
    if (real === undefined) return; // it is about to be made
    if (real !== join(root, named)) throw new ThoughtTreeError('outside', leadsElsewhere({ path: named }));
  }
}

/** A format that agents read their files in. */
interface AgentPlace {
  /** The program, by its own name. */
  readonly name: string;
  /** The folder of its skills, below the workspace or the person's own folder. */
  readonly skills: string;
  /** Where its agents are; undefined if it has none. */
  readonly agents?: string;
  /** True if it has the folder in the person's own folder too. */
  readonly isPersonal: boolean;
}

/** The files of the package that agents read, below `media/agents`. */
const SKILL = 'tree-search/SKILL.md';
const AGENT = 'tree-researcher.agent.md';
/** Prompts of VS Code, which are skills elsewhere: no other program reads its format. */
const PROMPTS = ['investigate.prompt.md', 'explain-node.prompt.md'] as const;

/** Where agents look for skills. VS Code's own need no copy: the package contributes the files to them. */
const AGENT_PLACES: readonly AgentPlace[] = [
  { name: 'Claude Code', skills: '.claude/skills', agents: '.claude/agents', isPersonal: true },
  { name: 'Codex, Gemini CLI, Cursor…', skills: '.agents/skills', isPersonal: true },
  { name: 'GitHub Copilot', skills: '.github/skills', agents: '.github/agents', isPersonal: false },
];

/** A file to be written. */
interface AgentFile {
  /** In the package, below `media/agents`. */
  readonly from: string;
  /** Below the folder that it is installed in. */
  readonly to: string;
  /** The name of the skill that it becomes, if it is a prompt. */
  readonly skill?: string;
}

/** Returns the files that are installed for a program. */
function filesFor({ skills, agents }: AgentPlace): AgentFile[] {
  const agent = agents?.startsWith('.claude/') ? AGENT.replace('.agent.md', '.md') : AGENT;
  return [
    { from: SKILL, to: `${skills}/${SKILL}` },
    ...PROMPTS.map((from) => {
      const skill = from.replace('.prompt.md', '');
      return { from, to: `${skills}/${skill}/SKILL.md`, skill };
    }),
    ...(agents === undefined ? [] : [{ from: AGENT, to: `${agents}/${agent}` }]),
  ];
}

/** Returns a file as its program reads it: a skill has a name, and the agent asks what an input of VS Code would ask. */
function contentFor({ skill }: AgentFile, text: string): string {
  if (skill === undefined) return text;
  const [, head = '', ...body] = text.split('---\n');
  const [description = ''] = /^description: .*$/m.exec(head) ?? [];
  const asked = body
    .join('---\n')
    .replaceAll(/\$\{input:\w{1,40}:([^{}$]{0,300})\}/g, 'as the user says it; if they did not, ask: $1');
  return `---\nname: ${skill}\n${description}\n---\n${asked}`;
}
