import assert from 'node:assert/strict';
import { type Concept, conceptsOf, ownTerms, synonymsOf } from '../../../../src/text/words/concept.ts';
import { stem, termsOf } from '../../../../src/text/words/terms.ts';
import { CHINESE, JAPANESE, KOREAN, translationOf } from '../../../../src/text/words/translate.ts';

const termsIn = (question: string): string[] => conceptsOf(question).map(({ term }) => term);
const ownIn = (question: string): string[] => conceptsOf(question).flatMap((concept) => ownTerms(concept));
const likeIn = (question: string): string[] => conceptsOf(question).flatMap(({ synonyms }) => [...synonyms]);

describe('the concepts of a question', () => {
  it('are not the words that only ask', () => {
    const asked: Record<string, string[]> = {
      'What happens when the queue is full?': [stem('queue'), stem('full')],
      'Where is it decided which reporter is used?': ['reporter'],
      'Which part of the code base explains how hooks work?': ['hook'],
      'Tell me how the cache works.': ['cach'],
      'Explain retries': ['retri'],
      'Wie werden die Verbindungen geschlossen?': ['verbind', 'geschlossen'],
      'Comment est-ce que la mémoire est libérée ?': [stem('mémoire'), stem('libérée')],
    };
    for (const [question, terms] of Object.entries(asked)) assert.deepEqual(termsIn(question), terms, question);
  });

  it('are those words where there is nothing else, or where they are quoted', () => {
    assert.deepEqual(termsIn('What does decide do?'), [stem('decide')]);
    assert.deepEqual(termsIn('What does `decide` do with hooks?'), [stem('decide'), 'hook']);
    assert.deepEqual(termsIn('What is this and why?'), []);
  });

  it('are the words that code is made of', () => {
    for (const word of 'get return undefined import null true false put back done new make export'.split(' ')) {
      assert.deepEqual(termsOf(`the ${word} of it`), [stem(word)], word);
      assert.ok(termsIn(`What does ${word} do to a queue?`).includes(stem(word)), word);
    }
  });

  it('meet the names that a file has, however they are written', () => {
    for (const question of ['the time out of a test', 'the timeout', 'timeOut', 'time-out'])
      assert.ok(ownIn(question).includes('timeout'), question);
    for (const question of ['Which peer book is used?', 'PeerBook', 'peerbook', 'peer_book'])
      assert.ok(ownIn(question).includes('peerbook'), question);
    for (const question of ['when does it shut down', 'who may log in', 'set up'])
      assert.ok(
        ownIn(question).some((term) => /^(?:shutdown|login|setup)$/.test(term)),
        question,
      );
    assert.ok(ownIn('SHA-256').includes('sha256'));
  });

  it('are the same in every form of an irregular word', () => {
    const [lease] = conceptsOf('When is it broken?');
    assert.ok(lease && ownTerms(lease).includes('break'), JSON.stringify(lease));
  });

  it('keep the verb of a phrase that means nothing alone: a name may do without its particle', () => {
    const phrase = conceptsOf('How does a process take over a lease?').find(({ term }) => term === '');
    assert.deepEqual([...(phrase?.same ?? [])], ['tak']);
    assert.ok(!conceptsOf('What takes the longest?').some(({ term }) => term === 'tak'));
  });

  it('have other words for what a phrase says, and never count the phrase as missing', () => {
    const phrases: Record<string, string> = {
      'What if a test takes too long?': 'timeout',
      'How many files are read at once?': 'concurrent',
      'How many retries are there?': 'count',
      'How long is a lock kept?': 'timeout',
      'Are files read in parallel?': 'concurrency',
      'When does it give up?': 'abort',
      'What is it by default?': 'fallback',
    };
    for (const [question, word] of Object.entries(phrases)) {
      const terms = [...likeIn(question), ...ownIn(question)];
      assert.ok(terms.includes(stem(word)), `${question} ${terms}`);
    }
    const [phrase] = conceptsOf('How many?');
    assert.deepEqual([phrase?.word, phrase?.term, phrase && ownTerms(phrase)], ['how many', '', []]);
  });

  it('know what programmers say instead, also of inflected words', () => {
    const pairs: Record<string, string> = {
      waits: 'sleep',
      stopped: 'halt',
      cancelling: 'abort',
      retried: 'attempt',
      limits: 'maximum',
      missing: 'null',
      copies: 'clone',
      thrown: 'thrown',
      closes: 'dispose',
      listening: 'subscribe',
      serialized: 'dump',
      mutexes: 'lock',
    };
    for (const [word, other] of Object.entries(pairs)) {
      const terms = [...likeIn(word), ...ownIn(word)];
      assert.ok(terms.includes(stem(other)), `${word}: ${terms}`);
    }
    assert.deepEqual(synonymsOf('nothing-of-the-kind'), []);
  });
});

describe('a question in Chinese, Japanese or Korean', () => {
  const words = (table: string): string[] =>
    table.split(/[,\n]/).flatMap((entry) => (/ [a-z]/.test(entry.trim()) ? [entry.trim().split(' ')[0] ?? ''] : []));

  it('has tables of programmers’ words', () => {
    assert.ok(new Set(words(CHINESE)).size >= 1000, String(new Set(words(CHINESE)).size));
    assert.ok(new Set(words(JAPANESE).filter((word) => /^[\p{Script=Katakana}ー]+$/u.test(word))).size >= 150);
    assert.ok(new Set(words(KOREAN)).size >= 100);
    for (const word of [...words(CHINESE), ...words(JAPANESE), ...words(KOREAN)])
      assert.ok((translationOf(word) ?? []).length > 0, word);
  });

  it('has English concepts, which its own words count for too', () => {
    const asked: Record<string, string[]> = {
      '测试超时是如何执行的？': ['test', 'timeout', 'execut'],
      '线程池满了会怎么样？': ['thread', 'pool'],
      '執行緒數量的上限在哪裡決定？': ['thread', 'count', 'limit', 'decid'],
      '重试之间等待多久？': ['retri', 'wait', 'timeout'],
      タイムアウトのエラーはどこで投げられますか: ['timeout', 'error'],
      循環参照はどのように処理されますか: ['circular', stem('reference'), 'handl'],
      '테스트 타임아웃은 어디에서 처리되나요?': ['test', 'timeout', 'handl'],
    };
    for (const [question, terms] of Object.entries(asked)) {
      const found = termsIn(question);
      assert.deepEqual(
        terms.filter((term) => !found.includes(term)),
        [],
        `${question} ${found}`,
      );
    }
    const [, timeout] = conceptsOf('测试超时');
    assert.deepEqual([timeout?.word, timeout?.term], ['超时', 'timeout']);
    assert.ok((timeout as Concept).same.includes('超时'));
    assert.deepEqual(termsOf('// 检查线程池的超时').slice(-2), ['线程池', '超时']);
  });

  it('is the same in traditional characters', () => {
    assert.deepEqual(termsIn('緩存過期之後如何重新載入？'), termsIn('缓存过期之后如何重新载入？'));
    assert.deepEqual(termsOf('緩存'), termsOf('缓存'));
  });
});
