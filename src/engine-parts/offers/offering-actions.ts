import * as z from 'zod';
import { Offer, OfferAnswers, OfferId } from '../../core/offers/offer.ts';
import type { Action, Actions } from '../../engine/context.ts';
import { answersApplied, offerGivenBack, offerYours, offerYoursUntil } from './messages.ts';

const name = z.string().min(1).max(100);
const as = name.optional();

const TakeArgs = z.object({ offer: name, person: z.boolean().optional(), as });
/** The offer, and when it becomes available to others again: ISO 8601 in UTC. */
const Taken = z.object({ offer: Offer, expiresAt: z.string().optional() });

/** Takes an offer, so that nobody else works on it. */
const take: Action<z.infer<typeof TakeArgs>, z.infer<typeof Taken>> = {
  args: TakeArgs,
  result: Taken,
  isLoops: true,
  tellsItself: true,
  async run({ loop, by }, { offer: id, person, as = by }) {
    const { offer, taking } = await loop.offers.take(id, { by: as, isPerson: person });
    const until = taking?.expiresAt;
    return { offer, ...(until === undefined ? {} : { expiresAt: new Date(until).toISOString() }) };
  },
  say: ({ offer: { id: offer }, expiresAt: until }) =>
    until === undefined ? offerYours({ offer }) : offerYoursUntil({ offer, until }),
};

const GiveBackArgs = z.object({ offer: name, as });
const GivenBack = z.object({ offer: OfferId });

/** Lets others take an offer. */
const giveBack: Action<z.infer<typeof GiveBackArgs>, z.infer<typeof GivenBack>> = {
  args: GiveBackArgs,
  result: GivenBack,
  isLoops: true,
  tellsItself: true,
  async run({ loop, by }, { offer, as = by }) {
    await loop.offers.giveBack(offer, as);
    return { offer };
  },
  say: ({ offer }) => offerGivenBack({ offer }),
};

const AnswerArgs = z.object({ answers: OfferAnswers, as });
/** The answered offers, and their kind's reply. */
const Answered = z.object({ offers: z.array(OfferId), value: z.unknown() });

/** Answers offers: all answers are accepted, or none. */
const answer: Action<z.infer<typeof AnswerArgs>, z.infer<typeof Answered>> = {
  args: AnswerArgs,
  result: Answered,
  isLoops: true,
  tellsItself: true,
  async run({ loop, by }, { answers, as = by }) {
    return { ...(await loop.offers.answer(answers, as)) } as z.infer<typeof Answered>;
  },
  say: ({ offers }) => answersApplied({ count: offers.length }),
};

/** The actions on offers: for kinds whose executors make any. */
export const OFFERING: Actions = { take, 'give-back': giveBack, answer } as Actions;
