import { splitWords } from '../../../text/words/split-words.ts';

/** Verbs that names of functions begin with. */
const VERBS: ReadonlySet<string> = new Set(
  `abort accept add allow append apply assert assign attach await begin bind build cache calculate call cancel change check
  choose clamp clean clear clone close collect commit compare compile compute configure connect consume convert copy count
  create cut decide decode decrypt define delete deliver deny describe detach detect disable discard dispatch display draw
  drop dump emit enable encode encrypt end enforce ensure enter escape evaluate evict execute exit expand expire extend
  extract fail fetch fill filter find finish flush format forward generate get give grow guard handle hash hide hold ignore
  import increase increment init initialize insert inspect install invoke join keep kill leave limit link list listen load
  lock log look lookup make map mark match measure merge move normalize notify observe open order pack parse patch pause
  peek pick place plan poll pop prepare print process produce prune publish pull push put quote raise rank read receive
  record recover reduce refresh register reject release reload remove rename render repeat replace report request reset
  resolve restore resume retry return reverse revoke rotate run sanitize save scan schedule score search select send
  serialize serve set show shrink shutdown skip sort split start stop store strip submit subscribe swap switch take tell
  test throw touch track transform translate trim truncate try unlock unpack unregister unsubscribe update upgrade use
  validate verify visit wait wake walk watch wrap write yield`.split(/\s+/),
);
const MOST_WORDS = 5;
/** After these a name tells when or how, not what. */
const NO_OBJECT = /^(?:all|and|any|as|at|by|for|from|if|in|into|next|now|of|on|one|or|out|to|until|up|when|with)$/;

/** Tells whether names of functions begin with a word, as they do with verbs. */
export function isVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase());
}

/** Says what a function does by its name: `checkTimeout` "checks the timeout". Empty if it names no act. */
export function phraseOfName(identifier: string): string {
  const [verb = '', ...words] = splitWords(identifier);
  if (!VERBS.has(verb) || words.length === 0 || words.length >= MOST_WORDS) return '';
  const [first = ''] = words;
  return [thirdPerson(verb), ...(NO_OBJECT.test(first) ? [] : ['the']), ...words].join(' ');
}

function thirdPerson(verb: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}
