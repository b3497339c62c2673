import type { Passage } from '../../text/cut/passage.ts';
import type { CandidateTopic } from '../../text/find/candidates.ts';
import type { Use } from '../../text/index/find-uses.ts';
import type { WorkspaceIndex } from '../../text/index/workspace-index.ts';
import { calledIn } from '../../text/rank/called-in.ts';

const BRINGS_IN = /^\s*(?:import|export|from|use|using|require|#\s*include)\b|\brequire\(/;
/** The factor by which each further caller counts less; all of them answer. */
const NEXT = 0.97;

/** The passages whose callers a question asks for, and these callers. */
export interface Callers {
  readonly called: readonly Passage[];
  /** Code before tests, by path and line, each with the line (from 0) that names it. */
  readonly users: ReadonlyMap<Passage, number>;
}

/** Undefined if a question does not ask who names something, or if nobody is known to. */
export function callersIn(question: string, index: WorkspaceIndex): Callers | undefined {
  const name = calledIn(question);
  if (name === undefined) return undefined;
  const called = index.names.definitionsOf(name);
  const uses = called.flatMap((passage) => index.names.usesOf(passage)).filter((use) => tells(use));
  const isTest = ({ passage: { file } }: Use): number => Number(file.role === 'test');
  uses.sort((a, b) => isTest(a) - isTest(b) || a.passage.id - b.passage.id);
  const users = new Map(uses.map(({ passage, row }) => [passage, row]));
  for (const passage of called) users.delete(passage);
  return users.size === 0 ? undefined : { called, users };
}

/** Tells whether a place does more with a name than bring it in, or give it to others. */
function tells({ passage: { kind, file }, row, reached }: Use): boolean {
  return !BRINGS_IN.test(file.lines[row] ?? '') && (kind !== 'rest' || reached);
}

/** The topics that answer such a question: what is called, which says by whom, then the callers. */
export function callerTopics({ called, users }: Callers): CandidateTopic[] {
  const [first] = called;
  const passages = first ? [first, ...users.keys()] : [...users.keys()];
  return passages.map((passage, place) => ({
    passage,
    worth: NEXT ** place,
    why: place === 0 ? 'has what is asked for' : `names ${first?.name}`,
  }));
}
