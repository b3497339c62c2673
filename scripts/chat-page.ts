// Makes the panel for chats: one page with its script and its style in it, as a page there can load nothing.
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { pageWords } from '../src/extension/panel/page-words.ts';
import { PANEL_BUILD } from './panel-build.ts';

/** @param root the folder of the project */
export async function makeChatPage(root: string): Promise<string> {
  const { outputFiles } = await build({
    ...PANEL_BUILD,
    absWorkingDir: resolve(root),
    entryPoints: ['webview-ui/chat/main.tsx'],
    outdir: 'out',
    write: false,
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const words = JSON.stringify(pageWords()).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="en" class="chat-light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Thought Tree</title>
<style>${textOf('.css').replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="panel"></div>
<script type="application/json" id="words">${words}</script>
<script>${textOf('.js').replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}
