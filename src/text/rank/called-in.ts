/** A name as code writes it: in backquotes, with brackets, of several parts, or with a capital. */
const NAME = String.raw`(?:\x60([^\x60\s]{2,100}?)(?:\(\))?\x60|((?:[\p{L}_$][\p{L}\p{N}_$]{0,80}(?:\.|#|::|->))*[\p{L}_$][\p{L}\p{N}_$]{1,80})(\(\))?)`;
const THING = String.raw`(?:the |a |an )?(?:function |method |class |type |macro |constant |struct )?`;
const USES = String.raw`(?:calls?|called|uses?|used|invokes?|invoked|references?|referenced|instantiates?|instantiated|depends? on|relies on)`;
const PLACES = String.raw`(?:functions?|methods?|classes|code|files?|modules?|places?|parts?|callers?|tests?)`;

/** Questions after who names something, in the languages that we are asked in most. */
const FORMS: readonly RegExp[] = [
  String.raw`^\W*(?:who|what|(?:which|what) (?:\w+ )?${PLACES}(?: of \w+)?)(?: all| else)? ${USES} ${THING}${NAME}\s*\??\s*$`,
  String.raw`\bwhere (?:is|are|do we|does anything|else is) (?:all )?${THING}${NAME} (?:being |all )?${USES}\b(?: from)?\s*\??\s*$`,
  String.raw`\bwhere (?:do|does) (?:\w+ )?(?:call|use|invoke) ${THING}${NAME}\s*\??\s*$`,
  String.raw`\b(?:callers|users|usages|uses|call sites) of ${THING}${NAME}\s*[?.]?\s*$`,
  String.raw`^\W*(?:wer|was|welche \w+) (?:ruft|rufen|nutzt|nutzen|benutzt|benutzen|verwendet|verwenden) ${NAME}(?: auf)?\s*\??\s*$`,
  String.raw`^\W*(?:wo|von wo|woher) (?:wird|werden|ist) ${NAME} (?:überall )?(?:aufgerufen|benutzt|verwendet|genutzt)\s*\??\s*$`,
  String.raw`^\W*(?:qui appelle|qui utilise|où est (?:appelée?|utilisée?)) ${NAME}\s*\??\s*$`,
  String.raw`(?:谁|哪里|哪些地方|哪些函数|什么地方)(?:会)?(?:调用|使用|用到)了?\s*${NAME}`,
  String.raw`${NAME}\s*(?:在哪里|在哪儿|被谁|在什么地方)被?(?:调用|使用)`,
].map((form) => new RegExp(form, 'iu'));

/** The name whose uses a question asks for ("Who calls `f`?"), without what it belongs to; undefined if it asks something else. */
export function calledIn(question: string): string | undefined {
  const text = question.slice(0, 300);
  for (const form of FORMS) {
    const [, quoted, bare, brackets] = form.exec(text) ?? [];
    const last = (quoted ?? bare)?.split(/\.|#|::|->/).at(-1);
    const isName =
      quoted !== undefined ||
      brackets !== undefined ||
      bare !== last ||
      /[\p{L}\p{N}]_|\p{Ll}\p{Lu}|^\p{Lu}/u.test(last ?? '');
    if (last && isName) return last;
  }
  return undefined;
}
