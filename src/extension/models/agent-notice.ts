import * as vscode from 'vscode';
import type { Model } from '../../core/ports/model.ts';
import { agentReads } from '../../searches/messages.ts';
import { messageText } from '../message-text.ts';

const told = new Set<string>();

/** Says once a window that an agent reads files by itself: what is left out of all other models' prompts, it sees. */
export function tellOfAgent({ name, most }: Pick<Model, 'name' | 'most'>): void {
  if (!most || told.has(name)) return;
  told.add(name);
  void vscode.window.showInformationMessage(messageText(agentReads({ model: name })));
}
