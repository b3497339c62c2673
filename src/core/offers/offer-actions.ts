import type { ActionFace, SearchFacts } from '../actions/action-face.ts';

const isOffering = ({ offers = 0 }: SearchFacts): boolean => offers > 0;

const AS = { name: 'as', type: 'text', help: 'who you are, if several act under one name', most: 100 } as const;

/** The actions on the offers of a search, for kinds whose executors make any. */
export const OFFER_ACTIONS = {
  take: {
    name: 'take',
    on: 'search',
    title: 'Take offer…',
    help: 'take an offer, so that nobody else works on it',
    args: [
      { name: 'offer', type: 'text', required: true, help: 'the name of the offer', most: 100 },
      { name: 'person', type: 'boolean', help: 'for a person: it does not expire' },
      AS,
    ],
    when: isOffering,
  },
  'give-back': {
    name: 'give-back',
    on: 'search',
    title: 'Give offer back…',
    help: 'let others take an offer',
    args: [{ name: 'offer', type: 'text', required: true, help: 'the name of the offer', most: 100 }, AS],
    when: isOffering,
  },
  answer: {
    name: 'answer',
    on: 'search',
    title: 'Answer offers…',
    help: 'answer one or several offers: all answers are accepted, or none',
    args: [{ name: 'answers', type: 'json', required: true, help: 'a list of {"offer": NAME, "result": …}' }, AS],
    waitsForRun: true,
    startsRun: true,
    when: isOffering,
  },
} as const satisfies Readonly<Record<string, ActionFace>>;
