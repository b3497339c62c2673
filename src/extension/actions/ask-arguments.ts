import * as vscode from 'vscode';
import type { ActionFace, ArgFace } from '../../core/actions/action-face.ts';
import { notJson } from '../../core/actions/messages.ts';
import type { KindWords } from '../../core/kind/kind-face.ts';
import { translated } from '../kind-words.ts';
import { messageText } from '../message-text.ts';

type Args = Readonly<Record<string, unknown>>;

/** The arguments of an action, asked from the person; undefined if they cancel. */
export async function askArguments(face: ActionFace, path: string, words: KindWords): Promise<Args | undefined> {
  const args: Record<string, unknown> = {};
  for (const arg of face.args.filter(({ required }) => required)) {
    if (arg.type === 'choice' || arg.type === 'boolean') {
      const chosen = await choose(face, arg);
      if (chosen === undefined) return undefined;
      args[arg.name] = chosen;
      continue;
    }
    const text = await vscode.window.showInputBox({
      ...wordsFor(face, arg, path, words),
      ignoreFocusOut: true,
      validateInput: (typed) =>
        typed.trim() && valueFrom(arg, typed) === undefined ? messageText(notJson()) : undefined,
    });
    if (!text?.trim()) return undefined;
    args[arg.name] = valueFrom(arg, text);
  }
  return args;
}

async function choose(face: ActionFace, { type, choices = [], help }: ArgFace): Promise<unknown> {
  const items =
    type === 'boolean'
      ? [
          { label: vscode.l10n.t('Yes'), value: true },
          { label: vscode.l10n.t('No'), value: false },
        ]
      : choices.map((value) => ({ label: translated(value), value }));
  const how = { title: translated(face.title), placeHolder: translated(help), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick<{ label: string; value: unknown }>(items, how))?.value;
}

/** The typed text as the action's argument; undefined if it is unreadable. */
function valueFrom({ type }: ArgFace, typed: string): unknown {
  if (type !== 'json') return type === 'integer' || type === 'number' ? Number(typed) : typed.trim();
  try {
    return JSON.parse(typed);
  } catch {
    return undefined;
  }
}

function wordsFor(face: ActionFace, arg: ArgFace, path: string, words: KindWords): { title: string; prompt: string } {
  if (face.name === 'add') return { title: translated(words.addNode), prompt: translated(words.addPrompt) };
  if (face.name === 'note')
    return {
      title: path === '' ? vscode.l10n.t('Note to the search') : vscode.l10n.t('Note to this branch'),
      prompt: vscode.l10n.t('It becomes part of every later prompt there.'),
    };
  return { title: translated(face.title), prompt: translated(arg.help) };
}
