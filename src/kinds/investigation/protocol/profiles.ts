/** The dialects of the protocol: ours, and those of three generations of the original. */
export const PROFILES = ['strict', 'g1', 'g2', 'g3'] as const;
export type ProfileName = (typeof PROFILES)[number];

/** Every state that a profile knows. */
export type State = 'EXPLORE' | 'FOUND' | 'VERIFY' | 'EXHAUST' | 'DEAD' | 'DRILL' | 'VALID' | 'SPEC';

/** The rules of a profile for one state. */
export interface StateRule {
  /** Its nodes have no children. */
  readonly isTerminal?: true;
  /** The number of children that it needs, from a round on; the last one that applies counts. */
  readonly needs?: readonly { readonly from: number; readonly children: number }[];
  /** The states of children that count for that; any by default. */
  readonly counts?: readonly State[];
  /** The states that its children may have; any by default, none if it is terminal. */
  readonly takes?: readonly State[];
  /** The state that a child should have, for whoever continues. */
  readonly asksFor?: State;
  /** A child in this state refutes it, until a child that counts is committed after that. */
  readonly refutedBy?: State;
  /** The first round that it may be committed in; earlier, the node becomes EXPLORE, with this warning. */
  readonly from?: number;
  readonly early?: string;
  /** Its findings have to say what was looked at. */
  readonly needsSources?: true;
  readonly color: string;
}

/** The rules of one dialect. */
export interface Profile {
  readonly name: ProfileName;
  readonly states: Readonly<Partial<Record<State, StateRule>>>;
  /** The states of an open lead, of a solution, and of a theory. */
  readonly open: State;
  readonly solution: State;
  readonly theory?: State;
  /** Rounds before which an investigation cannot end, by default. */
  readonly minRounds: number;
  /** The most nodes that one proposal may have. */
  readonly batchLimit?: number;
  /** The number of roots that the first round needs, by default. */
  readonly minRoots?: number;
  /** Ids follow the tree: one root, rounds and suffixes from parent to child. */
  readonly hasStrictIds?: true;
  /** A child's state has to fit its parent's. */
  readonly checksParents?: true;
  /** The treatment of agents' ids. */
  readonly agents: 'unknown' | 'required' | 'optional' | 'noted';
  /** The way to find the current round: the highest one of all nodes, or counted as rounds are completed. */
  readonly rounds: 'highest' | 'counted';
  /** The states whose missing children are warned about at every commit. */
  readonly warnsAbout: readonly State[];
  /** The states whose missing children prevent an end. */
  readonly endNeeds: readonly State[];
  /** A commit warns about a node that was proposed a moment ago. */
  readonly isSuspicious: boolean;
  /** The round that takes nothing but leads. */
  readonly leadsOnlyAt?: number;
  /** The number of nodes that the second round should have. */
  readonly breadth?: number;
}

const always = (children: number): { from: number; children: number }[] => [{ from: 0, children }];
const END = { isTerminal: true } as const;

const g1: Profile = {
  name: 'g1',
  states: {
    DRILL: { needs: always(2), color: 'lightblue' },
    VERIFY: { needs: always(1), color: 'purple' },
    DEAD: { ...END, color: 'red' },
    VALID: { ...END, color: 'green' },
    SPEC: { ...END, color: 'gold' },
  },
  open: 'DRILL',
  solution: 'VALID',
  theory: 'SPEC',
  minRounds: 3,
  batchLimit: 5,
  minRoots: 5,
  agents: 'unknown',
  rounds: 'counted',
  warnsAbout: [],
  endNeeds: ['DRILL', 'VERIFY'],
  isSuspicious: false,
};

const g2: Profile = {
  name: 'g2',
  states: {
    EXPLORE: { needs: always(2), color: 'lightblue' },
    FOUND: { needs: always(1), from: 4, early: 'DEPTH_ENFORCED', color: 'orange' },
    VERIFY: { ...END, color: 'green' },
    DEAD: { ...END, color: 'red' },
  },
  open: 'EXPLORE',
  solution: 'FOUND',
  minRounds: 5,
  agents: 'required',
  rounds: 'highest',
  warnsAbout: ['EXPLORE'],
  endNeeds: ['EXPLORE'],
  isSuspicious: true,
};

const found = { needs: always(1), asksFor: 'VERIFY', from: 4, early: 'DEPTH_ENFORCED', color: 'orange' } as const;
const exhaust = {
  needs: always(1),
  asksFor: 'DEAD',
  takes: ['EXPLORE', 'EXHAUST', 'DEAD'],
  from: 4,
  early: 'EXHAUST_ENFORCED',
  color: 'gray',
} as const;

const g3: Profile = {
  name: 'g3',
  states: {
    EXPLORE: {
      needs: [
        { from: 0, children: 2 },
        { from: 3, children: 1 },
      ],
      color: 'lightblue',
    },
    FOUND: { ...found, takes: ['EXPLORE', 'FOUND', 'VERIFY'] },
    VERIFY: { ...END, color: 'green' },
    DEAD: { ...END, from: 4, early: 'DEAD_ENFORCED', color: 'red' },
    EXHAUST: exhaust,
  },
  open: 'EXPLORE',
  solution: 'FOUND',
  minRounds: 5,
  checksParents: true,
  agents: 'noted',
  rounds: 'highest',
  warnsAbout: ['EXPLORE', 'FOUND', 'EXHAUST'],
  endNeeds: ['EXPLORE', 'FOUND', 'EXHAUST'],
  isSuspicious: true,
  leadsOnlyAt: 3,
  breadth: 5,
};

const strict: Profile = {
  name: 'strict',
  states: {
    EXPLORE: {
      needs: always(2),
      takes: ['EXPLORE', 'FOUND', 'EXHAUST', 'DEAD'],
      counts: ['EXPLORE', 'FOUND', 'EXHAUST', 'DEAD'],
      color: 'lightblue',
    },
    FOUND: {
      ...found,
      takes: ['EXPLORE', 'FOUND', 'VERIFY', 'DEAD'],
      counts: ['VERIFY'],
      refutedBy: 'DEAD',
      needsSources: true,
    },
    VERIFY: { ...END, needsSources: true, color: 'green' },
    DEAD: { ...END, from: 2, early: 'DEAD_ENFORCED', needsSources: true, color: 'red' },
    EXHAUST: { ...exhaust, counts: ['DEAD'], needsSources: true },
  },
  open: 'EXPLORE',
  solution: 'FOUND',
  minRounds: 5,
  hasStrictIds: true,
  checksParents: true,
  agents: 'optional',
  rounds: 'highest',
  warnsAbout: ['EXPLORE', 'FOUND', 'EXHAUST'],
  endNeeds: ['EXPLORE', 'FOUND', 'EXHAUST'],
  isSuspicious: true,
};

const TABLE: Readonly<Record<ProfileName, Profile>> = { strict, g1, g2, g3 };

/** Returns the rules of a dialect. */
export function profileOf({ profile }: { readonly profile: ProfileName }): Profile {
  return TABLE[profile];
}

/** Returns the rules of a profile for a state; one that it does not know is final and has no colour of its own. */
export function ruleOf(profile: Profile, state: State): StateRule {
  return profile.states[state] ?? { isTerminal: true, color: 'white' };
}

/** Returns the states of a profile. */
export function statesOf(profile: Profile): [State, ...State[]] {
  return Object.keys(profile.states) as [State, ...State[]];
}
