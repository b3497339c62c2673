import { basename } from 'node:path';
import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import type { KindFace } from '../../core/search/kind-face.ts';
import { type Kinds, loadKind } from '../../engine/kind/kinds.ts';
import { translated } from '../kind-words.ts';
import { notAPlan } from '../messages.ts';

/** The largest plan, in bytes. */
const LARGEST_PLAN = 4 * 1024 * 1024;

/** What a search for work begins with: a goal in words, or a plan that has one. */
export interface Goal {
  readonly prompt: string;
  /** As its kind checked it. */
  readonly plan?: string;
}

/**
 * Asks what is to be reached: in a line, in an editor where it takes several, or by a plan that somebody wrote.
 * @returns undefined if the person cancels
 * @throws ThoughtTreeError `damaged` saying what is wrong with the plan, and where
 */
export async function askGoal(face: KindFace, kinds: Kinds): Promise<Goal | undefined> {
  const title = translated(face.words.title);
  const placeHolder = translated(face.words.question);
  const items = [
    { label: vscode.l10n.t('$(edit) In a line'), ask: () => inALine(face) },
    { label: vscode.l10n.t('$(note) In an editor, in several lines'), ask: () => inAnEditor(face) },
    { label: vscode.l10n.t('$(file) By a plan in a file…'), ask: () => fromAPlan(face, kinds) },
  ];
  return await (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.ask();
}

async function inALine({ words }: KindFace): Promise<Goal | undefined> {
  const prompt = await vscode.window.showInputBox({
    title: translated(words.title),
    prompt: translated(words.question),
    placeHolder: translated(words.example),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? translated(words.question) : undefined),
  });
  return prompt?.trim() ? { prompt: prompt.trim() } : undefined;
}

async function inAnEditor({ words }: KindFace): Promise<Goal | undefined> {
  const document = await vscode.workspace.openTextDocument({ content: '', language: 'markdown' });
  await vscode.window.showTextDocument(document);
  const begin = vscode.l10n.t('Begin');
  for (;;) {
    const question = vscode.l10n.t('{0} Write it into the editor, then begin.', translated(words.question));
    if ((await vscode.window.showInformationMessage(question, begin, vscode.l10n.t('Not Now'))) !== begin)
      return undefined;
    const prompt = document.getText().trim();
    if (prompt !== '') return { prompt };
  }
}

async function fromAPlan(face: KindFace, kinds: Kinds): Promise<Goal | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({ title: translated(face.words.title), canSelectMany: false })) ?? [];
  if (!uri) return undefined;
  const name = basename(uri.fsPath);
  const { planFrom } = await loadKind(kinds, { kind: face.name });
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (!planFrom || bytes.length > LARGEST_PLAN) throw new ThoughtTreeError('damaged', notAPlan({ file: name }));
  const { prompt, text } = planFrom(textOf(bytes, name), name);
  return { prompt, plan: text };
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ThoughtTreeError('damaged', notAPlan({ file }));
  }
}
