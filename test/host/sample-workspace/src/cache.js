// Answers that were given lately. A Map keeps the order in which keys were added, so that the first one is the oldest.
export class AnswerCache {
  #answers = new Map();
  #size;

  constructor(size) {
    this.#size = size;
  }

  get(key, make) {
    if (this.#answers.has(key)) return this.#answers.get(key);
    const answer = make();
    this.#answers.set(key, answer);
    if (this.#answers.size > this.#size) this.#answers.delete(this.#answers.keys().next().value);
    return answer;
  }

  forget(key) {
    this.#answers.delete(key);
  }
}
