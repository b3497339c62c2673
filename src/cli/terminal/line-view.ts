import { messageOf } from '../../core/messages/message.ts';
import { formatTokens } from '../../core/money/figures.ts';
import { FOUND, type JournalEvent } from '../../core/search/events.ts';
import { oneLine } from '../../core/text/text.ts';
import * as say from '../messages.ts';
import type { Output } from './terminal.ts';
import { inWords, keptInWords } from './translation.ts';

const LONGEST = 500;

/** A line for each event of interest to a person; for logs and pipes. */
export class LineView implements View {
  readonly #out: Output;

  constructor(out: Output) {
    this.#out = out;
  }

  event(event: JournalEvent): void {
    const text = sentenceOf(event);
    if (text !== undefined) this.#out.line(oneLine(text, LONGEST));
  }

  notice(text: string): void {
    this.#out.line(oneLine(text, LONGEST));
  }

  end(): void {
    // the farewell follows
  }
}

/** Tells what a person did, and the reply. */
export function steeringText(event: Extract<JournalEvent, { type: 'steered' }>): string {
  const { by, action, node } = event;
  const what = messageOf(event.message, event.say);
  return inWords(node ? say.steeredNode({ by, action, node, what }) : say.steeredBy({ by, action, what }));
}

/** Tells what was shortened in a conversation. */
export function shorteningText(event: Pick<JournalEvent & { type: 'context-shortened' }, Shortening>): string {
  const { node, purpose, documents, lists, tokens, room } = event;
  const what = [
    say.documentsShortened({ count: documents.length }),
    ...(lists.length > 0 ? [say.listsShortened({ count: lists.length })] : []),
  ];
  return inWords(say.shortened({ node, purpose, what, tokens: formatTokens(tokens), room: formatTokens(room) }));
}

type Shortening = 'node' | 'purpose' | 'documents' | 'lists' | 'tokens' | 'room';

/** Returns an event in words; undefined for one that only interests programs. */
function sentenceOf(event: JournalEvent): string | undefined {
  switch (event.type) {
    case 'progress':
      return keptInWords(event.text, event.say);
    case 'usage-doubted':
      return keptInWords(event.message, event.say);
    case 'search-waiting':
      return inWords(say.waiting({ why: messageOf(event.message, event.say) }));
    case 'search-running':
      return inWords(event.reason === 'offers' ? say.worksAgain() : say.answersAgain());
    case 'node-status':
      if (event.by === FOUND.onOpening) return undefined;
      if (event.status === 'failed' && event.failure) return failureText(event);
      return event.status === 'pruned' && event.prunedBy ? inWords(say.prunedNode({ node: event.node })) : undefined;
    case 'reconciled':
      return inWords(
        say.changedOnDisk({ node: event.node || say.firstLevel(), what: messageOf(event.what, event.say) }),
      );
    case 'steered':
      return steeringText(event);
    case 'context-shortened':
      return shorteningText(event);
    case 'offer-taken':
      return inWords(say.offerTaken({ offer: event.offer, by: event.by }));
    case 'offer-given-back':
      return inWords(say.offerGivenBack({ offer: event.offer, by: event.by }));
    case 'offer-expired':
      return inWords(say.offerExpired({ offer: event.offer }));
    case 'offers-withdrawn':
      return inWords(say.offersWithdrawn({ count: event.offers.length }));
    case 'offers-answered':
      return inWords(say.offersAnswered({ by: event.by, count: event.answers.length }));
    default:
      return undefined;
  }
}

function failureText({ node, failure }: Extract<JournalEvent, { type: 'node-status' }>): string {
  const why = failure ? messageOf(failure.message, failure.say) : say.noReason();
  return inWords(say.failedNode({ node, why }));
}

/** Every event as one line of JSON, as in the journal; texts for people go to the other stream. */
export class JsonView implements View {
  readonly #out: Output;
  readonly #err: Output;

  constructor(out: Output, err: Output) {
    this.#out = out;
    this.#err = err;
  }

  event(event: JournalEvent): void {
    this.#out.line(JSON.stringify(event));
  }

  notice(text: string): void {
    this.#err.line(text);
  }

  end(): void {
    // the last event says it all
  }
}

/** Shows a running search. */
export interface View {
  /** Handles one event; called for every one, in order. */
  event(event: JournalEvent): void;
  /** Shows a message of the program itself while it runs. */
  notice(text: string): void;
  /** Ends the view: it shows nothing more, and leaves room for the closing message. */
  end(): void;
}
