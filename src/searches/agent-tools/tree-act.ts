import { type ActionDescriptor, maySpend } from '../../core/actions/action-descriptor.ts';
import { actionsOf } from '../../core/actions/actions.ts';
import type { Message } from '../../core/messages/message.ts';
import { ThoughtTreeError } from '../../core/search/errors.ts';
import { isTooDeep } from '../../core/text/loose-json.ts';
import { oneLine, withoutCommands } from '../../core/text/text.ts';
import { nodeAt } from '../../core/tree/tree.ts';
import { descriptorOf } from '../../engine/kind.ts';
import { chooseModels } from '../models/choose-model.ts';
import type { Place } from '../place.ts';
import { findNode } from '../reader/find-node.ts';
import { overviewOf, type SearchOverview } from '../reader/search-overview.ts';
import { recallUse } from '../trust/search-use.ts';
import type { AgentHost, Permit, Plan, ToolAnswer, ToolCall, Wanted } from './agent-host.ts';
import { askMoney, limitsWith, needsNoPermission } from './ask-money.ts';
import { nameOf, placeNamed } from './find-place.ts';
import { nothing, notOffered, wrongArguments } from './messages.ts';
import { meantValues, shownTitle } from './safe-text.ts';
import { offeredActions, refusalOfAction, shownAction } from './status-of.ts';
import type { ActArgs, Acted } from './tool-descriptors.ts';
import { waitFor } from './tree-start.ts';

/** The longest arguments and results of an action, as JSON, in characters. */
const LONGEST_ARGUMENTS = 200_000;
const LONGEST_VALUE = 20_000;

/** One action on one search, as it is about to be carried out. */
interface Acting {
  readonly host: AgentHost;
  readonly place: Place;
  readonly overview: SearchOverview;
  /** Undefined for the search as a whole. */
  readonly node: string | undefined;
  readonly descriptor: ActionDescriptor;
  readonly args: Readonly<Record<string, unknown>>;
  readonly call: ToolCall;
  readonly model: string;
  readonly judge: string | undefined;
  /** Those that share the work, if they are several. */
  readonly several: readonly string[];
  /** A person chose these models for the search. */
  readonly areModelsOwn: boolean;
  readonly maxUsd: number | undefined;
}

/** `tree_act`: something that the table of actions offers now; without an action, what that is. */
export async function planAct(host: AgentHost, args: ActArgs, call: ToolCall): Promise<Plan> {
  const place = await placeNamed(host, args.search);
  const path = args.node === undefined ? '' : await findNode(place.folder, args.node);
  const overview = await overviewOf(host.kinds, place.folder);
  const { action: name } = args;
  if (name === undefined) return { carryOut: () => offersAnswer(host, place, overview, path) };
  const offered = await offeredActions(host.kinds, overview, path);
  const descriptor = offered.find((each) => each.name === name);
  if (!descriptor) {
    const refusal = await refusalOfAction(host.kinds, overview, path, name);
    throw new ThoughtTreeError('bad-input', refusal ?? notOfferedNow(host, overview, name, offered));
  }
  const given = meantValues(checkedArguments(args.arguments), descriptor.args);
  const chosen = await modelsFor(host, place, overview);
  const node = descriptor.on === 'search' || (path === '' && descriptor.on === 'both') ? undefined : path;
  const models = {
    model: chosen.name,
    judge: chosen.judge,
    several: chosen.models ?? [],
    areModelsOwn: chosen.trusted,
  };
  const acting = { host, place, overview, node, descriptor, args: given, call, maxUsd: args.max_usd, ...models };
  return { wanted: await wantedFor(acting), carryOut: (permit) => carryOut(acting, permit) };
}

/** The models that an action would ask. */
async function modelsFor(host: AgentHost, { folder }: Place, { record, file }: SearchOverview) {
  const usual = host.models.usual();
  const own = chooseModels({}, await recallUse(folder), record, file);
  // A model that came with the folder is not used where this person chose another one.
  return own.trusted || usual.model === undefined ? own : chooseModels(usual, { here: undefined }, record, file);
}

/** Returns an action that is pointless now, or unknown: the answer names the others. */
function notOfferedNow(
  host: AgentHost,
  overview: SearchOverview,
  name: string,
  offered: readonly ActionDescriptor[],
): Message {
  const descriptors = actionsOf(descriptorOf(host.kinds, overview.file.kind));
  const known = Object.hasOwn(descriptors, name) ? name : oneLine(name, 60);
  const actions = offered.map((each) => each.name).join(', ') || nothing();
  return notOffered({ action: known, actions });
}

function checkedArguments(given: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const { action: _action, node: _node, ...args } = given;
  const why = isTooDeep(args) ? 'nested too deeply' : 'too long';
  if (!isTooDeep(args) && JSON.stringify(args).length <= LONGEST_ARGUMENTS) return args;
  throw new ThoughtTreeError('bad-input', wrongArguments({ tool: 'tree_act', why }));
}

/** Returns what a person has to allow before it; undefined if nothing is spent or removed that nobody has agreed to. */
async function wantedFor(acting: Acting): Promise<Wanted | undefined> {
  const { descriptor, overview, host, place, node, model, judge } = acting;
  const named = node === undefined ? undefined : nodeAt(overview.tree, node);
  const what = `${descriptor.title.replace(/…$/, '')}${named ? ` "${shownTitle(named.title)}"` : ''}`;
  const title = shownTitle(overview.file.title);
  const question = `${what} in the search "${title}"?`;
  const removes = descriptor.removes === true;
  const plain = { spends: false, removes, title, question, details: [descriptor.help] };
  if (!costsMoney(acting) || needsNoPermission(model, judge, acting.several)) return removes ? plain : undefined;
  const isElsewhere = overview.reader.isActive && !host.runs.isHere(place.folder);
  const { usd: spent } = overview.reader.spend;
  const limit = raisedUsd(acting) ?? overview.limits.guards.usd;
  const asked = {
    host,
    place,
    title,
    question,
    model,
    judge,
    limits: overview.limits,
    roomUsd: limit === undefined ? undefined : Math.max(0, limit - spent),
    maxUsd: acting.maxUsd,
    several: acting.several,
    areModelsOwn: acting.areModelsOwn,
  };
  const wanted = await askMoney(asked);
  const where = isElsewhere ? ['Another program runs this search, and spends it.'] : [];
  return { ...wanted, removes, isElsewhere, details: [descriptor.help, ...wanted.details, ...where] };
}

/** Tells whether it can lead to calls that nobody has agreed to: what runs here does so within what was permitted. */
function costsMoney({ descriptor, overview, host, place }: Acting): boolean {
  if (descriptor.raisesLimits) return true;
  if (host.runs.isHere(place.folder)) return false;
  return maySpend(descriptor) || (descriptor.waitsForRun === true && overview.reader.isActive);
}

/** Returns the limit in dollars that an action gives the search. */
function raisedUsd({ descriptor, args }: Acting): number | undefined {
  const guards = descriptor.raisesLimits ? (args['guards'] as { usd?: unknown } | undefined) : undefined;
  return typeof guards?.usd === 'number' ? guards.usd : undefined;
}

async function carryOut(acting: Acting, permit: Permit): Promise<ToolAnswer> {
  const { host, place, descriptor, node, args, call, overview, model } = acting;
  if (call.signal.aborted) {
    permit.settle?.(0);
    throw call.signal.reason;
  }
  const { folder } = place;
  if (descriptor.name === 'resume') {
    await run(acting, permit);
    const done = { action: descriptor.name, ok: true, message: 'The search runs.' };
    return await doneAnswer(acting, await readAgain(acting), done);
  }
  const name = descriptor.asCall ?? { action: descriptor.name };
  const spentUsd = overview.reader.spend.usd;
  const allowed = withinPermit(acting, permit, spentUsd);
  const asked = { ...args, ...allowed, ...name, ...(node === undefined ? {} : { node }) };
  const within = { model, mostUsd: permit.mostUsd };
  const outcome = await host.runs.act(place, asked, call.signal, within).catch(async (error: unknown) => {
    // The money that was set aside for it is free again, apart from what it cost.
    if (permit.settle && !host.runs.isHere(folder)) settle(permit, spentUsd, await readAgain(acting));
    throw error;
  });
  const { ok, say, reason, value } = outcome;
  const done = { action: descriptor.name, ok, message: shownTitle(say.text), ...(reason !== undefined && { reason }) };
  // A search that runs on may spend it later: then it stays set aside.
  const isOver = !host.runs.isHere(folder);
  const runsNow = ok && descriptor.startsRun === true && outcome.isResting && isOver;
  if (runsNow) await run(acting, permit);
  const after = await readAgain(acting);
  if (isOver && !runsNow) settle(permit, spentUsd, after);
  return await doneAnswer(acting, after, done, value);
}

/** Returns the search as it is by now. */
function readAgain({ host, place }: Acting): Promise<SearchOverview> {
  return overviewOf(host.kinds, place.folder);
}

/** A raised limit goes no further than was permitted. */
function withinPermit(acting: Acting, { mostUsd }: Permit, spentUsd: number): object {
  const raised = raisedUsd(acting);
  if (raised === undefined || mostUsd === undefined) return {};
  const guards = acting.args['guards'] as object;
  return { guards: { ...guards, usd: Math.min(raised, spentUsd + mostUsd) } };
}

async function run(acting: Acting, permit: Permit): Promise<void> {
  const { host, place, model, judge, call } = acting;
  const { reader } = await readAgain(acting);
  const limits = limitsWith({}, reader.spend.usd, permit);
  await host.runs.start({ place, model, judge, limits, permit, signal: call.signal });
  await waitFor(host, place, 0, call); // pauses it if the call was cancelled meanwhile
}

/** Reports what was spent of a permission that is over. */
function settle({ settle }: Permit, before: number, { reader }: SearchOverview): void {
  settle?.(Math.max(0, reader.spend.usd - before));
}

async function doneAnswer(
  { host, place, node }: Acting,
  after: SearchOverview,
  done: NonNullable<Acted['done']>,
  value?: unknown,
): Promise<ToolAnswer> {
  const answer = await offersAnswer(host, place, after, node ?? '');
  const shown = shownValue(value);
  const data = { ...answer.data, done, ...(shown !== undefined && { value: shown }) };
  return { text: `${done.ok ? done.message : `Not done: ${done.message}`}\n\n${answer.text}`, data };
}

/** Lists what can be done now. */
async function offersAnswer(
  host: AgentHost,
  place: Place,
  overview: SearchOverview,
  path: string,
): Promise<ToolAnswer> {
  const { name: model, judge } = await modelsFor(host, place, overview);
  const isFree = needsNoPermission(model, judge);
  const actions = (await offeredActions(host.kinds, overview, path)).map((descriptor) =>
    shownAction(descriptor, isFree),
  );
  const search = nameOf(host, place);
  const { state } = overview;
  const lines = actions.map(({ action, help, arguments: args, spends, removes }) => {
    const needs = [...(spends ? ['may cost money'] : []), ...(removes ? ['removes something'] : [])];
    const takes = args.map(({ name, required }) => (required ? name : `${name}?`));
    return `- ${action}${takes.length > 0 ? ` (${takes.join(', ')})` : ''}: ${help}${needs.length > 0 ? ` [${needs.join(', ')}]` : ''}`;
  });
  const where = path === '' ? search : `${search}, node ${path}`;
  const data: Acted = { search, ...(path !== '' && { node: path }), state, actions };
  return { text: `What can be done with ${where} (${state}):\n${lines.join('\n') || 'nothing'}`, data };
}

/** Returns a result as data, if it is not too long. */
function shownValue(value: unknown): unknown {
  const text = value === undefined ? undefined : JSON.stringify(value);
  if (text === undefined || text.length > LONGEST_VALUE) return undefined;
  return JSON.parse(withoutCommands(text)) as unknown;
}
