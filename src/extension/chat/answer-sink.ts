import { join } from 'node:path';
import * as vscode from 'vscode';
import { inertMarkdown } from '../../engine-parts/citations/inert-markdown.ts';
import { showText } from '../documents/open-document.ts';

/** Where an answer goes: the chat, or a document for those who have no model and so no chat. */
export interface AnswerSink {
  /** Our own words, as a whole block of Markdown. Everything else in it has to be escaped. */
  markdown(text: string): void;
  /** Words of a model or of a file, as Markdown that loads and runs nothing. */
  foreign(text: string): void;
  /** Markdown of a link to a node's document; to the search's report if the path is empty. */
  link(folder: string, path: string, title: string): string;
  button(command: vscode.Command): void;
  progress(text: string): void;
}

/**
 * Returns the chat. Its own links to files show their names, which are the same for every node: so links are commands
 * of ours.
 */
export function chatSink(stream: vscode.ChatResponseStream): AnswerSink {
  return {
    markdown: (text) => stream.markdown(trusted(text)),
    foreign: (text) => stream.markdown(new vscode.MarkdownString(inertMarkdown(text))),
    link: linkTo,
    button: (command) => stream.button(command),
    progress: (text) => stream.progress(text),
  };
}

/** An untitled document, shown once it is complete. */
export class DocumentSink implements AnswerSink {
  #text = '';

  markdown(text: string): void {
    this.#text += text;
  }

  foreign(text: string): void {
    this.#text += inertMarkdown(text);
  }

  link(folder: string, path: string, title: string): string {
    return `[${escaped(title)}](${vscode.Uri.file(fileOf(folder, path)).toString()})`;
  }

  button(): void {
    // A document has none: the palette and the menus have the commands.
  }

  progress(): void {
    // It is shown when it is complete.
  }

  async show(): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: this.#text.trimStart() });
    await showText(document);
  }
}

/** Text as it is, within Markdown. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-.!|<>~$]/g, String.raw`\$&`);
}

function fileOf(folder: string, path: string): string {
  return path === '' ? join(folder, 'report.md') : join(folder, ...path.split('/'), 'document.md');
}

/** The commands that links of ours call; both only show something. */
const DOCUMENT = 'thoughtTree.openDocument';
const REPORT = 'thoughtTree.openReport';

function trusted(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: [DOCUMENT, REPORT] };
  return markdown;
}

function linkTo(folder: string, path: string, title: string): string {
  const target = encodeURIComponent(JSON.stringify([{ folder, path }]));
  // A bracket of the address would end it.
  const argument = target.replaceAll('(', '%28').replaceAll(')', '%29');
  return `[${escaped(title)}](command:${path === '' ? REPORT : DOCUMENT}?${argument})`;
}
