import * as vscode from 'vscode';
import type { TreeToolName } from '../../searches/agent-tools/tool-descriptors.ts';
import type { ChatParts, TreeChat } from './tree-chat.ts';

/** The chat's own code, loaded on first use. */
export type LoadChat = () => Promise<TreeChat>;

export function chatLoader(parts: () => Promise<ChatParts>): LoadChat {
  let chat: Promise<TreeChat> | undefined;
  return () => {
    chat ??= Promise.all([import('./tree-chat.ts'), parts()]).then(([loaded, all]) => new loaded.TreeChat(all));
    return chat;
  };
}

/** Returns the participant `@tree`, and the tools for the editor's own agents, as package.json contributes them. */
export function registerChat(
  { extension, extensionUri }: vscode.ExtensionContext,
  load: LoadChat,
): vscode.Disposable[] {
  const { languageModelTools } = (extension.packageJSON as Manifest).contributes;
  const tools = languageModelTools.map(({ name }) =>
    vscode.lm.registerTool<Record<string, unknown>>(name, {
      prepareInvocation: async ({ input }) => (await load()).tools.prepare(name, input),
      invoke: async ({ input }, token) => (await load()).tools.invoke(name, input, token),
    }),
  );
  const participant = vscode.chat.createChatParticipant('thoughtTree.tree', async (...request) =>
    (await load()).answer(...request),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: async (result) => (await load()).followups(result) };
  return [participant, ...tools];
}

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: TreeToolName }[] };
}
