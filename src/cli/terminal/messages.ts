import { counted, message } from '../../core/messages/message.ts';

// Spending

export const calls = counted('cli.calls', '1 call', '{count:number} calls');
export const tokens = message('cli.tokens', '{tokens} tokens');
export const tokensCached = message('cli.tokens-cached', '{tokens} tokens ({percent}% cached)');
export const tokensAndMoney = message('cli.tokens-and-money', '{tokens} tokens, {usd}');
export const free = message('cli.free', 'free');
export const callsFree = message('cli.calls-free', '{calls}, free');
export const atWorst = message('cli.at-worst', '{tokens} at worst');
export const bookedMore = message('cli.booked-more', 'up to {amount} more for {calls} cut off or not told');
export const bookedBesides = message(
  'cli.booked-besides',
  'up to {amount} more for calls that were made twice, or are not in this journal',
);
export const atLeast = message('cli.at-least', 'at least {usd}, price partly unknown');
export const priceUnknown = message('cli.price-unknown', 'price unknown');

// Work of each slot

export const betweenCalls = message('cli.between-calls', 'between calls');
export const idleWaiting = message('cli.idle-waiting', 'waiting');
export const slotFree = message('cli.slot-free', 'free');
export const moreSlots = counted(
  'cli.more-slots',
  '1 more slot at work, {free:number} free',
  '{count:number} more slots at work, {free:number} free',
);
export const tryAgain = message('cli.try', '(try {attempt})');
export const pickerIdle = message('cli.picker-idle', 'picker idle');
export const picking = message('cli.picking', 'picking');
export const pickingOf = message('cli.picking-of', 'what comes next, of {count:number} open {nodes}');
export const timeLeft = message('cli.time-left', '{left} left');
