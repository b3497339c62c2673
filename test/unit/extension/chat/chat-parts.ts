import { join } from 'node:path';
import '../use-fake-vscode.ts';
import type { FollowedSearch } from '../../../../src/extension/library/followed-search.ts';
import { KINDS } from '../../../../src/kinds/kinds.ts';
import { SearchReader } from '../../../../src/searches/reader/search-reader.ts';
import { ToolHost } from '../../../support/agent-tools/tool-host.ts';
import { Uri, workspace } from '../fake-vscode.ts';

const { TreeChat } = await import('../../../../src/extension/chat/tree-chat.ts');
type ChatParts = ConstructorParameters<typeof TreeChat>[0];

/** The chat over a real folder: searches run in this process, as they would in a window. */
export class ChatBench {
  readonly chat: InstanceType<typeof TreeChat>;
  /** What a model answers, piece by piece; nothing for its usual words. */
  pieces: string[] = [];
  /** What a model was asked. */
  readonly prompts: string[] = [];
  readonly #tools: ToolHost;
  /** Whether every search counts as one that this window runs. */
  runsHere = false;
  /** Reads anew which searches there are. */
  readonly scan: () => Promise<void>;
  #searches: FollowedSearch[] = [];

  constructor(folder: string) {
    workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'work' }];
    this.#tools = new ToolHost({ workspace: folder });
    const { runs } = this.#tools;
    const library = {
      read: Promise.resolve(),
      get: () => this.#searches,
      search: (path: string) => this.#searches.find((each) => each.folder === path),
      scan: async () => {
        const { data } = await this.#tools.call('tree_list');
        const names = (data['searches'] as { search: string }[]).map(({ search }) => search);
        this.#searches = await Promise.all(
          names.map(async (name) => {
            const place = { folder: join(folder, 'thought-trees', name), workspace: folder };
            return (await SearchReader.read(place)) as FollowedSearch;
          }),
        );
      },
    };
    this.scan = library.scan;
    Object.defineProperty(library, 'searches', { get: () => this.#searches });
    const runner = {
      isRunning: (path: string) => this.runsHere || runs.isHere(path),
      run: (run: Parameters<typeof runs.start>[0]) => runs.start({ ...run, permit: {} }),
      outcome: (
        place: Parameters<typeof runs.act>[0],
        call: Parameters<typeof runs.act>[1],
        how: { signal: AbortSignal; named: string; mostUsd: number | undefined },
      ) => runs.act(place, call, how.signal, { model: how.named, mostUsd: how.mostUsd }),
    };
    const opener = {
      open: async (name: string) => ({
        name,
        prose: !name.startsWith('workspace/'),
        generate: async ({ prompt }: { prompt: string }, { onText }: { onText?: (piece: string) => void }) => {
          this.prompts.push(prompt);
          for (const piece of this.pieces) onText?.(piece);
          if (this.pieces.length > 0) return { text: this.pieces.join(''), finish: 'stop' };
          return {
            text: 'It says this. [run](command:evil) ![seen](https://evil.example/pixel) [more]\n\n[more]: command:evil',
            finish: 'stop',
          };
        },
      }),
    };
    const chooser = { choose: async () => 'vscode/picked' };
    this.chat = new TreeChat({ kinds: KINDS, library, runner, opener, chooser } as unknown as ChatParts);
  }

  get searches(): readonly FollowedSearch[] {
    return this.#searches;
  }

  /** Waits until the search that was begun has ended. */
  async end(name: string): Promise<void> {
    await this.#tools.call('tree_wait', { search: name, seconds: 50 });
  }

  async close(): Promise<void> {
    await this.#tools.close();
    workspace.workspaceFolders = [];
  }
}
