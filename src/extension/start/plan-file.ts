import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { KindFace } from '../../core/kind/kind-face.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { type Kinds, loadKind } from '../../engine/kind/kinds.ts';
import { translated } from '../kind-words.ts';
import { notAPlan } from '../messages.ts';

/** The largest plan, in bytes. */
const LARGEST_PLAN = 4 * 1024 * 1024;

/**
 * Lets a person pick a file with a plan that somebody wrote: its goal is the question.
 * @returns undefined if they pick none
 * @throws ThoughtTreeError `damaged` saying what is wrong with the plan, and where
 */
export async function pickPlan(
  face: KindFace,
  kinds: Kinds,
): Promise<{ readonly question: string; readonly plan: string } | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({ title: translated(face.words.title), canSelectMany: false })) ?? [];
  if (!uri) return undefined;
  const name = basename(uri.fsPath);
  const { planFrom } = await loadKind(kinds, { kind: face.name });
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (!planFrom || bytes.length > LARGEST_PLAN) throw new ThoughtTreeError('damaged', notAPlan({ file: name }));
  const { prompt, text } = planFrom(textOf(bytes, name), name);
  return { question: prompt, plan: text };
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ThoughtTreeError('damaged', notAPlan({ file }));
  }
}
