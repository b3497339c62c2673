import * as vscode from 'vscode';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { progressOf, progressWords } from '../../core/search/progress.ts';
import type { Kinds } from '../../engine/kind/kinds.ts';
import { nameOf } from '../../searches/agent-tools/find-place.ts';
import type { Acted, Read, Status } from '../../searches/agent-tools/tools/tool-outputs.ts';
import { COMMANDS } from '../commands/command-table.ts';
import { figures } from '../figures.ts';
import { translated, wordsOf } from '../kind-words.ts';
import type { FollowedSearch } from '../library/followed-search.ts';
import { messageText } from '../message-text.ts';
import { noSearchYet } from '../messages.ts';
import { stateText } from '../sidebar/search-item.ts';
import { type AnswerSink, escaped } from './answer-sink.ts';
import type { TreeTools } from './tree-tools.ts';
import { agentFolders } from './window-host.ts';

/** The length up to which an answer shows a report, in characters. */
const REPORT_SHOWN = 6000;

/** Answers about searches, from their files alone: the same in the chat and as commands. */
export class SearchAnswers {
  readonly #tools: Pick<TreeTools, 'read'>;
  readonly #kinds: Kinds;

  constructor(tools: Pick<TreeTools, 'read'>, kinds: Kinds) {
    this.#tools = tools;
    this.#kinds = kinds;
  }

  /** Its state, spend and best nodes. */
  async status(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<Status> {
    const status = await this.statusOf(search, signal);
    const { nodes, spent, reason, model, best } = status;
    const parts = [
      messageText(progressWords(progressOf(nodes), wordsOf(this.#kinds, search))),
      vscode.l10n.t('{0} calls', spent.calls),
      `${figures.usd(spent.usd)}${spent.usd_complete ? '' : '+'}`,
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

  /** Its answer, if there is one, and its best nodes. */
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

  /** Its report, or how to get one. */
  async report(sink: AnswerSink, search: FollowedSearch, signal: AbortSignal): Promise<Status> {
    const status = await this.statusOf(search, signal);
    if (status.has_report) {
      const { data } = await this.#tools.read('tree_read', { search: status.search, what: 'report' }, signal);
      const { text, next_offset: more } = data as Read;
      const shown = text.slice(0, REPORT_SHOWN);
      sink.foreign(withoutFrontMatter(shown));
      if (more !== undefined || shown.length < text.length) sink.markdown('\n\n…');
      sink.markdown(`\n\n${sink.link(search.folder, '', 'report.md')}\n`);
    } else sink.markdown(`${vscode.l10n.t('This search has no report yet: it gets one when it is finished.')}\n\n`);
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

  /** A node in the words of the tools, by its path or title. */
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

/** @throws ThoughtTreeError `not-found` */
export function needSearch<T>(named: T | undefined): T {
  if (named === undefined) throw new ThoughtTreeError('not-found', noSearchYet());
  return named;
}

/** The name by which the tools know a search. */
export function nameFor({ folder }: FollowedSearch): string {
  return nameOf({ folders: agentFolders() }, { folder });
}

/** The editor's command for an action. */
function commandOf(action: string): string | undefined {
  return Object.entries(COMMANDS).find(([, entry]) => entry.action === action)?.[0];
}

/** Adds buttons for what a person is likely to do next with a search. */
function buttonsFor(sink: AnswerSink, { folder }: FollowedSearch, { actions, has_report: hasReport }: Status): void {
  const target = { folder, path: '' };
  const button = (command: string, title: string): void => sink.button({ command, title, arguments: [target] });
  if (hasReport) button('thoughtTree.openReport', vscode.l10n.t('Open Report'));
  if (actions.includes('pause')) button('thoughtTree.pause', vscode.l10n.t('Pause'));
  if (actions.includes('resume')) button('thoughtTree.resume', vscode.l10n.t('Resume'));
  button('thoughtTree.openGraph', vscode.l10n.t('Open Graph'));
}

function withoutFrontMatter(text: string): string {
  if (!text.startsWith('---\n')) return text;
  const end = text.indexOf('\n---\n', 4);
  return end < 0 ? text : text.slice(end + 5);
}
