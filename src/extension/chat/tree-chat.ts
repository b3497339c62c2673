import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import type { Status } from '../../searches/agent-tools/tools/tool-outputs.ts';
import { messageText } from '../message-text.ts';
import { EDITOR_PROVIDER } from '../models/editor-provider.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { settingsFor } from '../settings.ts';
import { type AnswerSink, chatSink, DocumentSink, escaped } from './answer-sink.ts';
import { explainNode } from './explain-node.ts';
import { type Named, namedSearch } from './named-search.ts';
import { nameFor, needSearch, SearchAnswers } from './search-answers.ts';
import { signalOf, TreeTools } from './tree-tools.ts';
import type { HostParts } from './window-host.ts';

export interface ChatParts extends HostParts {
  readonly opener: ModelOpener;
  readonly chooser: Pick<ModelChooser, 'choose'>;
}

/** The facts that are kept with an answer in the chat, for the next one. */
interface Spoken {
  readonly command?: string;
  /** The folder of the search that it was about. */
  readonly folder?: string;
  readonly state?: string;
  /** The question, if it might be one for a search. */
  readonly question?: string;
}

/** A request in the chat, as far as an answer needs it. */
interface Asked {
  readonly sink: AnswerSink;
  readonly request: vscode.ChatRequest;
  readonly token: vscode.CancellationToken;
  readonly signal: AbortSignal;
  /** The folder of the search that was spoken of last. */
  readonly last: string | undefined;
}

/** The participant `@tree`, and what is the same as commands. It answers from the files; a model is asked by `/explain` only. */
export class TreeChat {
  readonly tools: TreeTools;
  readonly #parts: ChatParts;
  readonly #answers: SearchAnswers;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.tools = new TreeTools(parts);
    this.#answers = new SearchAnswers(this.tools, parts.kinds);
  }

  async answer(
    request: vscode.ChatRequest,
    { history }: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> {
    const last = history.findLast((turn) => turn instanceof vscode.ChatResponseTurn)?.result.metadata?.['folder'];
    const asked = { sink: chatSink(stream), request, token, signal: signalOf(token), last: last as string | undefined };
    try {
      return { metadata: await this.#answerTo(request.command ?? '', asked) };
    } catch (error) {
      if (token.isCancellationRequested) return {};
      return { errorDetails: { message: escaped(messageText(toThoughtTreeError(error).say)) } };
    }
  }

  #answerTo(command: string, asked: Asked): Promise<Spoken> {
    switch (command) {
      case 'start':
        return this.#start(asked);
      case 'act':
        return this.#act(asked);
      case 'explain':
        return this.#explain(asked);
      case 'status':
      case 'best':
      case 'report':
        return this.#tell(command, asked);
      default:
        return this.#help(asked);
    }
  }

  async #help({ sink, request: { prompt } }: Asked): Promise<Spoken> {
    const question = prompt.trim();
    const about = vscode.l10n.t('`@tree` leads tree searches over this folder. It answers from their files:');
    const lines = [
      ['/start', vscode.l10n.t('begins a search for a question')],
      ['/status', vscode.l10n.t('how a search is, and what it has spent')],
      ['/best', vscode.l10n.t('its best nodes')],
      ['/explain', vscode.l10n.t('a node in plain words; only this asks a model')],
      ['/act', vscode.l10n.t('what can be done now, and does it')],
      ['/report', vscode.l10n.t('its report')],
    ];
    sink.markdown(`${about}\n\n${lines.map(([name, what]) => `- \`${name}\` ${what}`).join('\n')}\n`);
    sink.button({ command: 'thoughtTree.start', title: vscode.l10n.t('Start Tree Search') });
    return question === '' ? {} : { question };
  }

  /** Begins a search by the tool, whose card shows the forecast. */
  async #start({ sink, request, token, signal }: Asked): Promise<Spoken> {
    const question = request.prompt.trim();
    if (question === '') {
      sink.markdown(vscode.l10n.t('Write the question behind it: `/start How are requests limited?`'));
      sink.button({ command: 'thoughtTree.start', title: vscode.l10n.t('Start Tree Search') });
      return { command: 'start' };
    }
    const { model } = settingsFor(vscode.workspace.workspaceFolders?.[0]?.uri);
    const input = { question, ...(model === '' ? { model: `${EDITOR_PROVIDER}/${request.model.id}` } : {}) };
    if (model === '') this.tools.chose('tree_start', input);
    const begun = await this.#invoke('tree_start', input, request, token);
    if (begun === undefined) {
      sink.markdown(vscode.l10n.t('Nothing was begun.'));
      return { command: 'start', question };
    }
    const search = this.#parts.library.search((begun as Status).folder);
    const status = search && (await this.#answers.status(sink, search, signal));
    return {
      command: 'start',
      ...(search ? { folder: search.folder } : {}),
      ...(status ? { state: status.state } : {}),
    };
  }

  async #tell(command: 'status' | 'best' | 'report', { sink, request, signal, last }: Asked): Promise<Spoken> {
    const { search } = await this.#named(request.prompt, last);
    const { state } = await this.#answers[command](sink, search, signal);
    const others = this.#parts.library.searches.length - 1;
    if (command === 'status' && others > 0)
      sink.markdown(`\n${vscode.l10n.t('There are {0} more searches; name one to see it.', others)}\n`);
    return { command, folder: search.folder, state };
  }

  /** `ACTION`, `ACTION NODE`, or `ACTION NODE: TEXT`; without one, what can be done now. */
  async #act({ sink, request, token, signal, last }: Asked): Promise<Spoken> {
    const { search, rest } = await this.#named(request.prompt, last);
    const [before = '', ...after] = rest.split(':');
    const [action = '', ...words] = before.trim().split(/\s+/);
    const [node, text] = [words.join(' '), after.join(':').trim()];
    const spoken = { command: 'act', folder: search.folder };
    const { actions } = await this.#answers.actions(silent, search, node, signal);
    const offered = actions.find((each) => each.action.toLowerCase() === action.toLowerCase());
    if (!offered) {
      if (action !== '') sink.markdown(`${vscode.l10n.t('"{0}" cannot be done now.', escaped(action))}\n\n`);
      await this.#answers.actions(sink, search, node, signal);
      return spoken;
    }
    const wanted = offered.arguments.find(({ required }) => required);
    const given = wanted && text !== '' ? { arguments: { [wanted.name]: text } } : {};
    const at = node === '' ? {} : { node: node };
    const input = { search: nameFor(search), action: offered.action, ...at, ...given };
    const acted = await this.#invoke('tree_act', input, request, token);
    const done = acted?.['done'] as { message: string } | undefined;
    sink.markdown(done ? escaped(done.message) : vscode.l10n.t('Nothing was done.'));
    return { ...spoken, ...(acted ? { state: String(acted['state']) } : {}) };
  }

  async #explain({ sink, request, signal, last }: Asked): Promise<Spoken> {
    const { search, rest } = await this.#named(request.prompt, last);
    await this.#explainTo(sink, search, rest, `${EDITOR_PROVIDER}/${request.model.id}`, signal);
    return { command: 'explain', folder: search.folder };
  }

  /** @param words the path or title of a node; by default the best one */
  async #explainTo(sink: AnswerSink, search: Named['search'], words: string, model: string, signal: AbortSignal) {
    const status = await this.#answers.statusOf(search, signal);
    const path = words === '' ? (status.best[0]?.node ?? '') : words;
    const read = await this.#answers.node(search, path, signal);
    const parts = read.node.split('/');
    const above = parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('/'));
    const texts = await Promise.all(above.map(async (each) => (await this.#answers.node(search, each, signal)).text));
    sink.progress(vscode.l10n.t('{0} explains {1}', model, read.title));
    const subject = { question: status.question, above: texts, node: read.text, asked: '' };
    const text = await explainNode(this.#parts.opener, model, search.workspace, subject, signal);
    if (read.node !== '') sink.markdown(`${sink.link(search.folder, read.node, read.title)}\n\n`);
    sink.foreign(text);
    sink.markdown('\n');
    const target = { folder: search.folder, path: read.node };
    sink.button({ command: 'thoughtTree.reveal', title: vscode.l10n.t('Show in Sidebar'), arguments: [target] });
  }

  /** Calls a tool as an agent would: the editor shows its card. Undefined if the person skipped it. */
  async #invoke(
    name: 'tree_start' | 'tree_act',
    input: Record<string, unknown>,
    { toolInvocationToken }: vscode.ChatRequest,
    token: vscode.CancellationToken,
  ): Promise<Record<string, unknown> | undefined> {
    try {
      await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token);
    } catch (error) {
      if (!isSkipped(error)) throw error;
    }
    return this.tools.take(name, input)?.data;
  }

  async #named(words: string, last: string | undefined): Promise<Named> {
    return needSearch(await namedSearch(this.#parts.library, words, last));
  }

  /** Returns what may be asked next. */
  followups({ metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
    const { command, folder, state, question } = (metadata ?? {}) as Spoken;
    const followup = (name: string, label: string, prompt = ''): vscode.ChatFollowup => ({
      command: name,
      label,
      prompt,
    });
    if (question !== undefined) return [followup('start', vscode.l10n.t('Start a search for it'), question)];
    if (folder === undefined) return [];
    return [
      ...(command === 'status' ? [] : [followup('status', vscode.l10n.t('How is it?'))]),
      ...(command === 'best' ? [] : [followup('best', vscode.l10n.t('Show the best nodes'))]),
      ...(state === 'finished' && command !== 'report' ? [followup('report', vscode.l10n.t('Show the report'))] : []),
      ...(command === 'explain' ? [] : [followup('explain', vscode.l10n.t('Explain the best node'))]),
      ...(command === 'act' ? [] : [followup('act', vscode.l10n.t('What can be done?'))]),
    ];
  }

  /** Shows such an answer as a command: *Show Status*, *Show Best Nodes*. */
  async show(what: 'status' | 'best', search: Named['search']): Promise<void> {
    const sink = new DocumentSink();
    await this.#answers[what](sink, search, new AbortController().signal);
    await sink.show();
  }

  /** *Explain*: by the model of the settings, or one that the person picks. */
  async explain(search: Named['search'], path: string): Promise<void> {
    const scope = vscode.Uri.file(search.workspace);
    const { model: known } = settingsFor(scope);
    const model = known !== '' && known !== 'workspace/quotes' ? known : await this.#parts.chooser.choose(scope, true);
    if (!model) return;
    const sink = new DocumentSink();
    const title = vscode.l10n.t('Explaining');
    const location = vscode.ProgressLocation.Notification;
    await vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) =>
      this.#explainTo(sink, search, path, model, signalOf(token)),
    );
    await sink.show();
  }
}

/** For reading an answer without showing it. */
const silent: AnswerSink = {
  markdown: () => undefined,
  foreign: () => undefined,
  link: () => '',
  button: () => undefined,
  progress: () => undefined,
};

/** The editor says so in several ways when a person skips a card. */
function isSkipped(error: unknown): boolean {
  return (
    error instanceof vscode.CancellationError || /cancell?ed|skipped/i.test(error instanceof Error ? error.message : '')
  );
}
