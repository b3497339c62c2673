import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageWords } from './page-words.ts';

/** The page of a panel: our own script and style, and nothing from anywhere else. */
export function graphPage(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const of = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', file)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    'img-src blob:', // a drawing of ours on its way to being a picture
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // The page's texts in the editor's language; it has most of the English ones itself.
  const words = JSON.stringify(pageWords(vscode.l10n.bundle)).replaceAll('<', '\\u003c');
  const language = vscode.env.language.replaceAll(/[^\w-]/g, '');
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${of('webview.css')}">
<title>Thought Tree</title>
</head>
<body>
<div id="panel"></div>
<script type="application/json" id="words">${words}</script>
<script nonce="${nonce}" src="${of('webview.js')}"></script>
</body>
</html>`;
}
