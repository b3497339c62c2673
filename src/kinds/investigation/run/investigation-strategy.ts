import type { Move, SearchEnd, Strategy } from '../../../core/kind/strategy.ts';
import type { Tree } from '../../../core/tree/tree.ts';
import { CALL } from './kept-change.ts';

/** The one move of an investigation is its next call, which somebody outside makes, until it has ended. */
export class InvestigationStrategy implements Strategy {
  readonly #hasEnded: () => boolean;
  #tree: Tree | undefined;
  #isAsked = false;

  /** @param hasEnded whether the last call ended the investigation */
  constructor(hasEnded: () => boolean) {
    this.#hasEnded = hasEnded;
  }

  get end(): SearchEnd | undefined {
    return this.#hasEnded() ? 'complete' : undefined;
  }

  open(tree: Tree): void {
    this.#tree = tree;
  }

  ask(): Move[] {
    if (!this.#tree || this.#isAsked || this.#hasEnded()) return [];
    this.#isAsked = true;
    return [nextCall(this.#tree)];
  }

  tell(): void {
    this.#isAsked = false;
  }

  changed(): void {}

  wish(): void {}

  grow(): void {}
}

/** The move that stands for the next call. */
export function nextCall({ root }: Tree): Move {
  return { id: CALL, kind: CALL, nodes: [root.id] };
}
