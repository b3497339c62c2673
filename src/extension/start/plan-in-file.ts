import { basename } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type Kinds, loadKind } from '../../engine/kind.ts';
import { notAPlan } from '../messages.ts';

/** A plan that somebody wrote, as its kind checked it. */
export interface PlanInFile {
  readonly text: string;
  /** The number of nodes that it makes. */
  readonly nodes: number;
  /** True if it runs commands: a person is asked about these before it begins. */
  readonly runsCommands: boolean;
}

/** The part of a draft that a plan decides: its goal is the question. */
interface Planned {
  readonly question: string;
  readonly plan: PlanInFile;
}

/** The largest plan, in bytes. */
const LARGEST_PLAN = 4 * 1024 * 1024;

/**
 * Lets a person pick a file with a plan.
 * @param kind the name of the kind that reads it
 * @param folder the workspace folder in which the dialog begins, if one is chosen
 * @returns undefined if they pick none
 * @throws ThoughtTreeError `damaged` saying what is wrong with the plan, and where
 */
export async function pickPlan(
  kind: string,
  kinds: Kinds,
  folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
): Promise<Planned | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('The file with the plan'),
      openLabel: vscode.l10n.t('Use This Plan'),
      filters: { YAML: ['yaml', 'yml', 'json'], [vscode.l10n.t('All files')]: ['*'] },
      canSelectMany: false,
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.file(folder) }),
    })) ?? [];
  return uri && (await planIn(uri, kind, kinds));
}

/**
 * Returns the plan in a file, as it is in its editor if it is open there.
 * @throws ThoughtTreeError `damaged` saying what is wrong with the plan, and where
 */
export async function planIn(uri: vscode.Uri, kind: string, kinds: Kinds): Promise<Planned> {
  const file = basename(uri.fsPath);
  const { plans } = (await loadKind(kinds, { kind })).extras;
  const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === uri.fsPath);
  const bytes = open ? Buffer.from(open.getText()) : await vscode.workspace.fs.readFile(uri);
  if (!plans || bytes.length > LARGEST_PLAN) throw new ThoughtTreeError('damaged', notAPlan({ file }));
  const written = textOf(bytes, file);
  // Any file may be chosen: of one that never meant to be a plan, it is of no use to say which field is missing.
  if (!/\bgoal["']?\s*:/.test(written)) throw new ThoughtTreeError('damaged', notAPlan({ file }));
  const { prompt, text, nodes, commands } = plans.read(written, file);
  return { question: prompt, plan: { text, nodes, runsCommands: commands.length > 0 } };
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ThoughtTreeError('damaged', notAPlan({ file }));
  }
}
