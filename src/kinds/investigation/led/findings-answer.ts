import { ThoughtTreeError } from '../../../core/search/errors.ts';
import { type CheckedDocument, checkDocument } from '../../../core/text/document.ts';
import type { TreeNode } from '../../../core/tree/tree.ts';
import { brokenRules, noState } from '../messages.ts';
import { commit } from '../protocol/commit.ts';
import type { Investigation, Proposal } from '../protocol/investigation.ts';
import { profileOf, ruleOf, type State, statesOf } from '../protocol/profiles.ts';
import { reclassify } from '../protocol/reclassify.ts';
import type { ProtocolError } from '../protocol/verdict.ts';
import type { OwnFields } from '../run/own-fields.ts';
import { titleOf } from '../run/read-investigation.ts';
import { committedOf, type Moment } from './led-investigation.ts';
import { checkedBy } from './steps.ts';

/** What was found about a lead: the document, and the state that the protocol gives it. */
export interface CheckedFindings {
  readonly document: CheckedDocument;
  readonly state: State;
  readonly warnings: readonly string[];
}

/** The states that a lead may get: what the engine asks for. The protocol decides over the answer. */
export function statesFor(moment: Moment, node: TreeNode, { nodeId, round }: OwnFields): State[] {
  const profile = profileOf(moment.at);
  if (checkedBy(moment, node)) return ['VERIFY', 'DEAD'];
  const above = node.parent && committedOf(moment, node.parent);
  const { asksFor } = above ? ruleOf(profile, above.state) : {};
  if (asksFor) return [asksFor];
  const states = statesOf(profile).filter((state) => {
    if (state === 'VERIFY' || (state === 'DEAD' && !above) || childErrors(moment, nodeId, state).length > 0)
      return false;
    if (state === profile.open) return round < moment.lastRound;
    return round >= (ruleOf(profile, state).from ?? 0);
  });
  const { state = profile.open } = moment.at.nodes.get(nodeId) ?? {};
  return states.length > 0 ? states : [state]; // its children fit no other state
}

/** A lead that is looked into again keeps its children, so it cannot get a state that they do not fit. */
function childErrors({ at }: Moment, id: string, state: State): readonly ProtocolError[] {
  const hasPending = [...at.pending.values()].some(({ parent }) => parent === id);
  const hasChildren = hasPending || (at.nodes.get(id)?.children.length ?? 0) > 0;
  return hasChildren ? reclassify(at, id, state).errors : [];
}

/**
 * A model's answer about a lead, checked by the protocol as an agent's commit is.
 * @throws ThoughtTreeError `bad-answer` saying what is wrong and how to put it right, in words for the model
 */
export function checkFindings(moment: Moment, node: TreeNode, own: OwnFields, text: string): CheckedFindings {
  const document = checkDocument(text, node.title);
  const asked = statesFor(moment, node, own);
  const said = String(document.data['state'] ?? '')
    .trim()
    .toUpperCase() as State;
  if (!isPossible(moment, said, asked)) throw new ThoughtTreeError('bad-answer', noState({ states: asked.join(', ') }));
  const at = withProposal(moment.at, { node, own });
  const result = { nodeId: own.nodeId, state: said, findings: document.body };
  const { errors: broken, warnings, change } = commit(at, [result], { now: Number.POSITIVE_INFINITY, agents: {} });
  const state = change?.results[0]?.state ?? said;
  const errors = [...broken, ...childErrors(moment, own.nodeId, state)];
  if (errors.length === 0) return { document, state, warnings };
  const why = errors.map(({ message, suggestion }) => `${message} ${suggestion}`).join(' ');
  throw new ThoughtTreeError('bad-answer', brokenRules({ why }));
}

/** Whether a state was asked for, or only comes too early: the protocol has a rule that replaces it. */
function isPossible({ at }: Moment, said: State, asked: readonly State[]): boolean {
  if (asked.includes(said)) return true;
  const profile = profileOf(at);
  return asked.includes(profile.open) && ruleOf(profile, said).early !== undefined && statesOf(profile).includes(said);
}

/** An investigation in which a lead waits for its findings, also if it had some that are replaced. */
function withProposal(at: Investigation, lead: { node: TreeNode; own: OwnFields }): Investigation {
  const { nodeId: id, plannedAction, proposedAt } = lead.own;
  const known = at.nodes.get(id);
  const parent = known?.parent ?? at.pending.get(id)?.parent ?? null;
  const proposal: Proposal = { id, parent, title: titleOf(lead), plannedAction, proposedAt };
  const nodes = new Map(at.nodes);
  nodes.delete(id);
  return { ...at, nodes, pending: new Map(at.pending).set(id, proposal) };
}
