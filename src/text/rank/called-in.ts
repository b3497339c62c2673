/** A possible name: in backquotes, or words joined as code joins them, with or without brackets behind it. */
const WORD = /`([^`\s]{2,100})`|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|#|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?/gu;
const LOOKS_LIKE_CODE = /[.#:>()]|[\p{L}\p{N}]_|\p{Ll}\p{Lu}|^\p{Lu}/u;
const MOST = 300;

/** Questions after who names something, `¤`, in the languages that we are asked in most. */
const FORMS: readonly RegExp[] = [
  /^(?:who|what|(?:which|what) [a-z ]{1,40}) (?:calls?|uses?|invokes?|references?|instantiates?|depends? on) ¤$/i,
  /^where (?:is|are) ¤ (?:being )?(?:called|used|invoked|referenced|instantiated)(?: from)?$/i,
  /^where (?:do|does) [a-z]{1,20} (?:call|use|invoke) ¤$/i,
  /^[a-z ]{0,40}(?:callers|users|usages|call sites) of ¤$/i,
  /^(?:wer|was|welche [a-zäöü]{1,30}) (?:ruft|rufen|nutzt|nutzen|benutzt|benutzen|verwendet|verwenden) ¤(?: auf)?$/i,
  /^(?:wo|von wo|woher) (?:wird|werden|ist) ¤ (?:überall )?(?:aufgerufen|benutzt|verwendet|genutzt)$/i,
  /^(?:qui appelle|qui utilise) ¤$/i,
  /^(?:谁|哪里|哪些地方|哪些函数)会?(?:调用|使用|用到)了? ?¤$/,
  /^¤ ?(?:在哪里|在哪儿|被谁|在什么地方)被?(?:调用|使用)$/,
];

/** The name whose uses a question asks for ("Who calls `f`?"), without what it belongs to; undefined if it asks something else. */
export function calledIn(question: string): string | undefined {
  if (question.length > MOST) return undefined;
  const text = question
    .replaceAll(/[?？。\s]+/g, ' ')
    .replace(/\.? ?$/, '')
    .trim();
  for (const { 0: word, 1: quoted, index } of text.matchAll(WORD)) {
    if (quoted === undefined && !LOOKS_LIKE_CODE.test(word)) continue;
    const before = text.slice(0, index).replace(/(?:the )?(?:function|method|class|type|macro) $/i, '');
    const asked = `${before}¤${text.slice(index + word.length)}`;
    if (FORMS.some((form) => form.test(asked)))
      return (quoted ?? word)
        .replace(/\(\)$/, '')
        .split(/[.#]|::|->/)
        .at(-1);
  }
  return undefined;
}
