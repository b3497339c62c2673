// A work graph at a moment: plain data, built from the nodes of a search, or from a plan. All rules about it are pure
// functions in this folder, so that they can be checked on every small graph.

/** The name of an atom, such as `A1`. Atoms and groups share their names. */
export type AtomName = string;

/** One piece of work. */
export interface Atom {
  readonly name: AtomName;
  /**
   * `pending` also while somebody works on it: who does, is an argument where it matters. `done`: work exists that is not
   * joined with the rest and verified yet. `failed`: it was tried and is not tried again, unless a person says so.
   */
  readonly state: 'pending' | 'done' | 'resolved' | 'failed';
  /** The group whose alternative it is. */
  readonly group: AtomName | undefined;
  /** The atom whose part it, or its group, is. */
  readonly parent: AtomName | undefined;
  /** Names of atoms and groups. */
  readonly dependsOn: readonly AtomName[];
  /** The atom whose failure lets this one begin. */
  readonly ifFailed: AtomName | undefined;
  /** Globs; undefined: anything. */
  readonly touches: readonly string[] | undefined;
  readonly uses: readonly string[];
  /** True if somebody has to find out first if it can be done, and nobody has. */
  readonly needsProbe: boolean;
  /** True if it is a proposal that no person has agreed to, so that nothing waits for it. */
  readonly isProposed: boolean;
  /** Of work that is done: whether some of its checks cannot be made here, so that a person has to say whether it is. */
  readonly needsPerson?: boolean;
}

/** Alternatives: one of them has to be resolved. */
export interface OrGroup {
  readonly name: AtomName;
  readonly parent: AtomName | undefined;
  /** In the order in which they are tried. Some may have no atom. */
  readonly choices: readonly AtomName[];
  /** Undefined, or failed: the first that has not failed counts. */
  readonly selected: AtomName | undefined;
}

/** Atoms in the order of the plan. An atom that has parts is resolved when they are; nobody works on it itself. */
export interface WorkGraph {
  readonly atoms: ReadonlyMap<AtomName, Atom>;
  readonly groups: ReadonlyMap<AtomName, OrGroup>;
}
