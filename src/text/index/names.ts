import type { Passage } from '../cut/passage.ts';
import type { Imports } from '../files/imports.ts';
import type { Use, Uses } from './find-uses.ts';

/** A name with more definitions than this is ambiguous. */
const MAX_MEANINGS = 4;

/** The references between the symbols of a workspace, as far as can be told without a compiler. */
export class Names {
  readonly #passages: readonly Passage[];
  readonly #definitions: ReadonlyMap<string, readonly Passage[]>;
  readonly #uses: Uses;
  readonly #imports: Imports;

  constructor(
    passages: readonly Passage[],
    definitions: ReadonlyMap<string, readonly Passage[]>,
    uses: Uses,
    imports: Imports,
  ) {
    this.#imports = imports;
    this.#passages = passages;
    this.#definitions = definitions;
    this.#uses = uses;
  }

  /** Tells whether any symbol has this name; of `Queue#push` the last part counts. */
  has(name: string): boolean {
    return this.#definitions.has(name.split(/[#.]|::/).at(-1) ?? name);
  }

  /** Returns the passages that are called so, by path and line. */
  definitionsOf(identifier: string): readonly Passage[] {
    return this.#definedAs(identifier);
  }

  /** The symbols that share a passage's name and can be meant where it can, including itself. */
  namesakes(passage: Passage): readonly Passage[] {
    const { identifier } = passage;
    if (identifier === undefined) return [];
    if (this.#isLocal(passage)) return [passage];
    return this.#definedAs(identifier).filter((other) => !this.#isLocal(other) && speakAlike(other, passage));
  }

  /** Where a symbol may be named. By path and line. */
  usesOf(passage: Passage): readonly Use[] {
    const { identifier } = passage;
    if (identifier === undefined) return [];
    const own = new Set(
      this.#definedAs(identifier)
        .filter((other) => other.kind !== 'member' && other.file !== passage.file)
        .map(({ file }) => file),
    );
    const owner = this.#isLocal(passage) ? this.#ownerOf(passage) : undefined;
    return (this.#uses.byName.get(identifier) ?? []).filter((use) => {
      if (passage.kind === 'member' && !use.reached) return false;
      if (use.passage.id === passage.id || !speakAlike(use.passage, passage)) return false;
      if (owner) return use.passage.file === owner.file && contains(owner, use.passage);
      if (!this.#canMean(use.passage, passage)) return false;
      // A file that defines the name itself means its own.
      return !own.has(use.passage.file);
    });
  }

  /** The symbols of the workspace that a passage names; if a name is ambiguous, all of them. */
  namedIn(passage: Passage): readonly (readonly Passage[])[] {
    return [...(this.#uses.byPassage[passage.id] ?? [])].flatMap((name) => {
      const all = this.#definedAs(name).filter((other) => {
        if (!speakAlike(other, passage) || !this.#canMean(passage, other)) return false;
        const owner = this.#isLocal(other) ? this.#ownerOf(other) : undefined;
        return !owner || (owner.file === passage.file && contains(owner, passage));
      });
      const own = all.filter(({ file }) => file === passage.file);
      const meant = own.length > 0 ? own : all;
      return meant.length > 0 && meant.length <= MAX_MEANINGS ? [meant] : [];
    });
  }

  /** Members come with objects, from anywhere; everything else has to be imported. */
  #canMean(from: Passage, to: Passage): boolean {
    return to.kind === 'member' || this.#imports.reaches(from.file, to.file);
  }

  #definedAs(identifier: string): readonly Passage[] {
    return this.#definitions.get(identifier) ?? [];
  }

  #ownerOf({ owner }: Passage): Passage | undefined {
    return owner === undefined ? undefined : this.#passages[owner];
  }

  /** Anything defined inside a function is known only there. */
  #isLocal(passage: Passage): boolean {
    const owner = this.#ownerOf(passage);
    return owner !== undefined && owner.kind !== 'class' && passage.kind !== 'member';
  }
}

function contains(owner: Passage, { start, end }: Passage): boolean {
  return start >= owner.start && end <= owner.end;
}

const FAMILY = new Map([
  ['typescript', 'javascript'],
  ['tsx', 'javascript'],
]);

/** Code in one language does not refer to what another defines. */
function speakAlike(a: Passage, b: Passage): boolean {
  return familyOf(a) === familyOf(b);
}

function familyOf({ file: { language } }: Passage): string | undefined {
  return language && (FAMILY.get(language.grammar) ?? language.grammar);
}
