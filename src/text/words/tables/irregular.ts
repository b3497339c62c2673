/** Words whose forms have no stem in common: those of verbs, and plurals. The first is the one in dictionaries. */
const FORMS = `
become became; begin began begun; bend bent; bleed bled; blow blew blown; break broke broken;
bring brought; build built; burst; buy bought; catch caught; choose chose chosen; come came; creep crept; deal dealt;
dig dug; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed; fight fought;
find found; flee fled; fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; give gave given; go went gone; grow grew grown; hang hung; hide hid hidden; hold held; keep kept;
know knew known; lay laid; lead led; lend lent; lose lost; make made; meet met;
overtake overtook overtaken; override overrode overridden; overwrite overwrote overwritten; pay paid; rebuild rebuilt;
resend resent; rewrite rewrote rewritten; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen;
seek sought; sell sold; send sent; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; speak spoke spoken; spend spent; spin spun; spring sprang sprung;
stand stood; steal stole stolen; stick stuck; strike struck; swear swore sworn; sweep swept; swing swung; take took taken;
teach taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; undo undid undone;
unbind unbound; wake woke woken; wear wore worn; weave wove woven; win won; wind wound; withdraw withdrew withdrawn;
withhold withheld; write wrote written;
axis axes; child children; foot feet; half halves; index indices; man men; matrix matrices;
mouse mice; person people; self selves; shelf shelves; thief thieves; vertex vertices; woman women
`;

const groups = new Map<string, readonly string[]>();
for (const line of FORMS.split(';')) {
  const forms = line.trim().split(/\s+/);
  for (const form of forms) groups.set(form, forms);
}

/** The other forms of an irregular word in lower case; none for any other. */
export function otherForms(word: string): readonly string[] {
  return groups.get(word)?.filter((form) => form !== word) ?? [];
}
