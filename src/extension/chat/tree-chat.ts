import * as vscode from 'vscode';
import { toThoughtTreeError } from '../../core/search/errors.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import type { Kinds } from '../../engine/kind.ts';
import type { Acted, Read, Status } from '../../searches/agent-tools/tool-descriptors.ts';
import { COMMANDS } from '../commands/command-table.ts';
import { figures } from '../figures.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText, translated, wordsOf } from '../message-text.ts';
import type { ModelChooser } from '../models/model-chooser.ts';
import type { ModelOpener } from '../models/model-opener.ts';
import { EDITOR_PROVIDER, settingsFor } from '../settings.ts';
import { stateText } from '../sidebar/search-item.ts';
import { type AnswerSink, chatSink, DocumentSink, escaped } from './answer-sink.ts';
import { answerFrom, explainNode, MOST_SEARCHES, type Source } from './ask-model.ts';
import { signalOf, TreeTools } from './tree-tools.ts';
import { type HostParts, type Named, namedSearch, nameFor, needSearch } from './window-host.ts';

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

/** The participant `@tree`, and what is the same as commands. It answers from the files; a model is asked for a sentence and by `/explain`. */
export class TreeChat {
  readonly tools: TreeTools;
  readonly #parts: ChatParts;
  readonly #answers: SearchAnswers;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.tools = new TreeTools(parts);
    this.#answers = new SearchAnswers(this.tools, parts);
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
        return asked.request.prompt.trim() === '' ? this.#help(asked) : this.#answerSentence(asked);
    }
  }

  /** Answers a question from what the searches of the folder have found, and offers a search for it. */
  async #answerSentence({ sink, request, signal }: Asked): Promise<Spoken> {
    const question = request.prompt.trim();
    const { library, opener } = this.#parts;
    await library.read;
    const searches = library.searches.filter(({ problem }) => problem === undefined).slice(0, MOST_SEARCHES);
    sink.progress(vscode.l10n.t('Looking through the documents of the latest searches: {0}', searches.length));
    const { documentsAbout } = await import('../../searches/agent-tools/ask-documents.ts');
    const sources = await documentsAbout(searches, question);
    if (sources.length === 0)
      sink.markdown(
        `${searches.length === 0 ? vscode.l10n.t('There is no search in this folder yet.') : vscode.l10n.t('None of the latest searches in this folder has found anything about that yet.')}\n`,
      );
    else {
      const model = `${EDITOR_PROVIDER}/${request.model.id}`;
      const read = async ({ search, path }: Source): Promise<string> =>
        (await (path === '' ? this.#answers.reportOf(search, signal) : this.#answers.node(search, path, signal))).text;
      await answerFrom(sources, sink, { question, opener, model, read, signal });
    }
    const title = vscode.l10n.t('Start a Search for This');
    sink.button({ command: 'workbench.action.chat.open', title, arguments: [{ query: `@tree /start ${question}` }] });
    const [first] = sources;
    return { question, ...(first ? { folder: first.search.folder } : {}) };
  }

  async #help({ sink }: Asked): Promise<Spoken> {
    const about = vscode.l10n.t(
      '`@tree` leads tree searches over this folder. Ask it something, and it answers from what they have found. Or:',
    );
    const lines = [
      ['/start', vscode.l10n.t('begins a search for a question')],
      ['/status', vscode.l10n.t('how a search is, and what it has spent')],
      ['/best', vscode.l10n.t('its best nodes')],
      ['/explain', vscode.l10n.t('a node in plain words')],
      ['/act', vscode.l10n.t('what can be done now, and does it')],
      ['/report', vscode.l10n.t('its report')],
    ];
    sink.markdown(`${about}\n\n${lines.map(([name, what]) => `- \`${name}\` ${what}`).join('\n')}\n`);
    sink.button({ command: 'thoughtTree.start', title: vscode.l10n.t('Start Tree Search') });
    return {};
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
    const hasEnded = search && (await this.#answers.watch(sink, search, signal));
    const status = search && (await this.#answers.status(sink, search, signal));
    if (search && hasEnded === false) {
      const { folder } = search;
      sink.markdown(
        `${vscode.l10n.t('It goes on without this answer. Its report is here once it ends, and what is known until then:')}\n\n`,
      );
      sink.button(openReport(folder));
    }
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
    // A question has a button that begins a search for it.
    if (question !== undefined || folder === undefined) return [];
    return [
      ...(command === 'status' ? [] : [followup('status', vscode.l10n.t('What is its status?'))]),
      ...(command === 'best' ? [] : [followup('best', vscode.l10n.t('Show the best nodes'))]),
      ...(state === 'finished' && command !== 'report' ? [followup('report', vscode.l10n.t('Show the report'))] : []),
      ...(command === 'explain' ? [] : [followup('explain', vscode.l10n.t('Explain the best node'))]),
      ...(command === 'act' ? [] : [followup('act', vscode.l10n.t('What can be done?'))]),
    ];
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

/** An answer tells how a search that has just begun goes on, so many times for so many seconds; a chat waits for its answer. */
const WATCHED_S = 30;
const MOST_WATCHED = 20;

/** Tells what was spent; no amount where nobody knows a price. */
function moneyText({ usd, usd_complete: isComplete }: Status['spent']): string {
  if (isComplete) return figures.usd(usd);
  return usd > 0 ? vscode.l10n.t('at least {0}', figures.usd(usd)) : vscode.l10n.t('price unknown');
}

/** The length up to which an answer shows a report, in characters. */
const REPORT_SHOWN = 6000;

/** Answers about searches, from their files alone: the same in the chat and as commands. */
export class SearchAnswers {
  readonly #tools: Pick<TreeTools, 'read'>;
  readonly #kinds: Kinds;
  readonly #runner: HostParts['runner'];

  constructor(tools: Pick<TreeTools, 'read'>, { kinds, runner }: Pick<HostParts, 'kinds' | 'runner'>) {
    this.#tools = tools;
    this.#kinds = kinds;
    this.#runner = runner;
  }

  /**
   * Tells how a search that has begun goes on, until it ends or pauses, for ten minutes at most. Whoever stops it stops the
   * answer, not the search.
   * @returns false if it is still at work
   */
  async watch(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<boolean> {
    for (let times = 0; times < MOST_WATCHED && !signal.aborted; times++) {
      await this.#watchOn(sink, search, signal);
      const { state } = await this.statusOf(search, signal);
      if (state !== 'running' && state !== 'waiting') return true;
    }
    return false;
  }

  async #watchOn(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<void> {
    const tell = async (): Promise<void> => {
      const { nodes, spent } = await this.statusOf(search, signal);
      if (!signal.aborted) sink.progress(this.#progressText(search, nodes, spent.calls));
    };
    const { signal: never } = new AbortController();
    const wait = { search: nameFor(search), seconds: WATCHED_S };
    const waited = this.#tools.read('tree_wait', wait, never, () => void tell().catch(() => undefined));
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([waited.catch(() => undefined), stopped]);
  }

  #progressText(search: FollowedSearch, nodes: Status['nodes'], calls: number): string {
    const done = messageText(progressWords(progressOf(nodes), wordsOf(this.#kinds, search)));
    return `${done} · ${vscode.l10n.t('{0} calls', calls)}`;
  }

  /** Tells its state, spend and best nodes. */
  async status(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<Status> {
    const status = await this.statusOf(search, signal);
    const { nodes, spent, reason, model, best } = status;
    const parts = [
      this.#progressText(search, nodes, spent.calls),
      moneyText(spent),
      ...(model === undefined ? [] : [model]),
    ];
    const blocks = [
      `**${escaped(status.title)}** · ${escaped(stateText({ state: status.state, led: search.led }))}`,
      ...(reason === undefined || search.led ? [] : [escaped(reason)]),
      escaped(parts.join(' · ')),
      ...(best.length > 0 ? [vscode.l10n.t('Best so far:'), rows(sink, search, best.slice(0, 3))] : []),
    ];
    sink.markdown(`${blocks.join('\n\n')}\n\n`);
    buttonsFor(sink, search, status);
    return status;
  }

  /** Tells its answer, if there is one, and its best nodes. */
  async best(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<Status> {
    const status = await this.statusOf(search, signal);
    sink.markdown(`**${escaped(status.title)}**\n\n`);
    if (status.answer !== undefined) {
      sink.foreign(status.answer);
      sink.markdown('\n\n');
    }
    const list = `${vscode.l10n.t('The best nodes:')}\n\n${rows(sink, search, status.best)}`;
    sink.markdown(`${status.best.length > 0 ? list : vscode.l10n.t('It has no nodes yet.')}\n\n`);
    buttonsFor(sink, search, status);
    return status;
  }

  /** Tells its report; of one that is not finished, that of what is known so far. */
  async report(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<Status> {
    const { state } = await this.statusOf(search, signal);
    const { folder, workspace } = search;
    if (state !== 'finished' && vscode.workspace.isTrusted)
      await this.#runner.outcome({ folder, workspace }, { action: 'interim' }, { by: 'chat', signal });
    const status = await this.statusOf(search, signal);
    if (status.has_report) {
      const { text, next_offset: more } = await this.reportOf(search, signal);
      const shown = text.slice(0, REPORT_SHOWN);
      sink.foreign(withoutFrontMatter(shown));
      if (more !== undefined || shown.length < text.length) sink.markdown('\n\n…');
      sink.markdown(`\n\n${sink.link(search.folder, '', 'report.md')}\n`);
    } else {
      const said = vscode.l10n.t('This search has no report yet. Opening it writes one of what is known so far.');
      sink.markdown(`${said}\n\n`);
      sink.button(openReport(search.folder));
    }
    buttonsFor(sink, search, status);
    return status;
  }

  /** Shows what can be done with it now, or with one of its nodes. */
  async actions(sink: AnswerSink, search: FollowedSearch, node: string, signal: AbortSignal): Promise<Acted> {
    const input = { search: nameFor(search), ...(node === '' ? {} : { node }) };
    const acted = (await this.#tools.read('tree_act', input, signal)).data as Acted;
    const lines = acted.actions.map(({ action, help }) => `- \`${action}\` ${escaped(help)}`);
    const list = `${vscode.l10n.t('What can be done now:')}\n\n${lines.join('\n')}\n`;
    sink.markdown(lines.length > 0 ? list : vscode.l10n.t('Nothing can be done at the moment.'));
    const target = { folder: search.folder, path: acted.node ?? '' };
    for (const { action, title } of acted.actions.slice(0, 6)) {
      const command = commandOf(action);
      if (command !== undefined) sink.button({ command, title: translated(title), arguments: [target] });
    }
    return acted;
  }

  async statusOf(search: FollowedSearch, signal: AbortSignal): Promise<Status> {
    return (await this.#tools.read('tree_status', { search: nameFor(search) }, signal)).data as Status;
  }

  /** Returns the beginning of its report, as tools may read it. */
  async reportOf(search: FollowedSearch, signal: AbortSignal): Promise<Read> {
    return (await this.#tools.read('tree_read', { search: nameFor(search), what: 'report' }, signal)).data as Read;
  }

  /** Returns a node in the words of the tools, by its path or title. */
  async node(search: FollowedSearch, node: string, signal: AbortSignal): Promise<Read> {
    return (await this.#tools.read('tree_read', { search: nameFor(search), what: 'node', node }, signal)).data as Read;
  }
}

/** Nodes as a list, each with a link to its document. */
function rows(sink: AnswerSink, { folder }: FollowedSearch, nodes: Status['best']): string {
  const row = ({ node, title, score }: Status['best'][0]): string =>
    `- ${sink.link(folder, node, title)}${score === undefined ? '' : ` (${figures.score(score)})`}`;
  return nodes.map(row).join('\n');
}

/** Returns the editor's command for an action. */
function commandOf(action: string): string | undefined {
  return Object.entries(COMMANDS).find(([, entry]) => entry.action === action)?.[0];
}

function openReport(folder: string): vscode.Command {
  return { command: 'thoughtTree.openReport', title: vscode.l10n.t('Open Report'), arguments: [{ folder, path: '' }] };
}

/** Adds buttons for what a person is likely to do next with a search. */
function buttonsFor(sink: AnswerSink, { folder }: FollowedSearch, { actions, has_report: hasReport }: Status): void {
  const target = { folder, path: '' };
  const button = (command: string, title: string): void => sink.button({ command, title, arguments: [target] });
  if (hasReport) sink.button(openReport(folder));
  if (actions.includes('pause')) button('thoughtTree.pause', vscode.l10n.t('Pause'));
  if (actions.includes('resume')) button('thoughtTree.resume', vscode.l10n.t('Resume'));
  button('thoughtTree.openGraph', vscode.l10n.t('Open Thought Tree'));
}

function withoutFrontMatter(text: string): string {
  if (!text.startsWith('---\n')) return text;
  const end = text.indexOf('\n---\n', 4);
  return end < 0 ? text : text.slice(end + 5);
}
