import { counted, message } from '../../core/messages/message.ts';

// Requests of a person

export const askedForOthers = message('thoughts.asked-for-others', '"{title}" is asked for other thoughts.');
export const judgedAgain = message('thoughts.judged-anew', '"{title}" will be judged again.');
export const solvedNeedsNoJudge = message(
  'thoughts.solved-needs-no-judge',
  '"{title}" needs no judge: it is a solution.',
);
export const duplicateNeedsNoJudge = message(
  'thoughts.duplicate-needs-no-judge',
  '"{title}" needs no judge: it is a duplicate.',
);

// A person's own task

export const taskNameTaken = message(
  'thoughts.task-name-taken',
  'There is already a task "{task}". Give yours another name.',
);
export const problemRefused = message(
  'thoughts.problem-refused',
  'The task "{task}" does not accept this problem: {why}',
);

export const combined = counted(
  'thoughts.combined',
  '"{title}" and 1 other will be combined.',
  '"{title}" and {count:number} others will be combined.',
);
export const combinesFromTwo = message(
  'thoughts.combines-from-two',
  'Name one to three other thoughts to combine it with.',
);
export const combinesNoDrafts = message(
  'thoughts.combines-no-drafts',
  'Whole drafts are not combined: that makes crammed answers. Continue the better one.',
);
export const combinesBeside = message(
  'thoughts.combines-beside',
  '{node} is above or below another one of them: combine thoughts of different ways.',
);
export const combinesOpen = message(
  'thoughts.combines-open',
  '{node} is pruned, or was not written: restore it first.',
);
export const combinedTitle = message('thoughts.combined-title', 'Combined: {titles}');

export const reconsiderNeeds = message(
  'thoughts.reconsider-needs',
  'Say what is to be different: another threshold, or how many thoughts to ask for at a node.',
);
export const reconsidered = counted(
  'thoughts.reconsidered',
  'This applies from now on. 1 pruned thought will be judged again.',
  'This applies from now on. {count:number} pruned thoughts will be judged again.',
);
export const anotherWanted = message('thoughts.another-wanted', 'One more solution is looked for.');

// Progress of a search

export const decomposing = message('thoughts.decomposing', 'Decomposing the problem...');
export const damagedDecomposition = message(
  'thoughts.damaged-decomposition',
  'decomposition.json is unusable and is ignored.',
);
export const unreadableDecomposition = message(
  'thoughts.unreadable-decomposition',
  'decomposition.json cannot be used as it is. {why}',
);
export const treeBegun = message('thoughts.tree-begun', 'Initialising the search tree');
export const expandingLayer = counted(
  'thoughts.expanding-layer',
  'Expanding layer {depth} (1 candidate)',
  'Expanding layer {depth} ({count:number} candidates)',
);
export const writingDrafts = counted(
  'thoughts.writing-drafts',
  'Writing 1 draft of the answer',
  'Writing {count:number} drafts of the answer, none of which sees another',
);
export const writingAgain = message('thoughts.writing-again', 'Writing "{title}" again, without what its reader found');
export const askingAgain = counted(
  'thoughts.asking-again',
  'Asking again for layer {depth} (1 candidate)',
  'Asking again for layer {depth} ({count:number} candidates)',
);
export const goingDeeper = message(
  'thoughts.going-deeper',
  'Evaluation complete; top {kept:number} continue to layer {depth}',
);
export const solutionFound = message('thoughts.solution-found', 'Solution found!');
export const solutionClaimed = message(
  'thoughts.solution-claimed',
  'A judge calls "{title}" a solution; another one checks it',
);
export const solutionRefuted = message('thoughts.solution-refuted', 'A second judge does not confirm "{title}"');
export const solutionUnchecked = message(
  'thoughts.solution-unchecked',
  '{code}: nobody could check that "{title}" is a solution',
);
export const anotherWay = message('thoughts.another-way', 'Completing another way from "{title}"');
export const comparingSolutions = message('thoughts.comparing-solutions', 'Comparing "{one}" with "{other}"');
export const notCompared = message('thoughts.not-compared', '{code}: they count as equally good');
export const combining = counted(
  'thoughts.combining',
  'Combining 1 thought into one',
  'Combining {count:number} thoughts into one',
);
export const fewerCandidates = message(
  'thoughts.fewer-candidates',
  'GENERATION_FAILED: asking for {candidates:number} instead',
);
export const simplerCriteria = message('thoughts.simpler-criteria', '{code}: judging by simpler criteria');
export const unscored = counted(
  'thoughts.unscored',
  '{code}: 1 thought stays unscored, in the middle of the order',
  '{code}: {count:number} thoughts stay unscored, in the middle of the order',
);
export const hookFailed = message('thoughts.hook-failed', "The task's {hook} failed and is passed over: {why}");
export const beyondDepth = message(
  'thoughts.beyond-depth',
  'Warning: {title} is more than 2 below the depth limit; it is not continued',
);
export const exhausted = message('thoughts.exhausted', 'Nothing is left to continue from, and no solution was found');
export const allPruned = counted(
  'thoughts.all-pruned',
  'Nothing is left to continue from. 1 thought was pruned; the best of what judges pruned scored {score}, and the threshold is {threshold:number}. Reconsider it with a lower threshold, or ask for more thoughts at a node.',
  'Nothing is left to continue from. {count:number} thoughts were pruned; the best of what judges pruned scored {score}, and the threshold is {threshold:number}. Reconsider them with a lower threshold, or ask for more thoughts at a node.',
);
export const nothingLeft = message(
  'thoughts.nothing-left',
  'The search went as far as its strategy does. Reconsider it: ask for more thoughts at a node.',
);
export const notJudged = counted(
  'thoughts.not-judged',
  '1 thought has no score, as the answers of its judge could not be used. Let another model judge, or ask for more thoughts at a node.',
  '{count:number} thoughts have no score, as the answers of their judge could not be used. Let another model judge, or ask for more thoughts at a node.',
);
export const noFurtherThoughts = message('thoughts.no-further-thoughts', '{code}: no further thoughts');
export const noClosingWords = message('thoughts.no-closing-words', 'No closing words: {why}');
export const noThoughts = message('thoughts.no-thoughts', 'The model gave no readable thoughts. {why}');

// The problem taken apart

export const planThought = message('thoughts.plan-thought', 'One thought is: {text}');
export const planStep = message('thoughts.plan-step', '{number}. {text}');
export const planDepth = message('thoughts.plan-depth', 'Steps to a solution: about {text}');
export const planConstraint = message('thoughts.plan-constraint', 'Constraint: {text}');
export const planAssumption = message('thoughts.plan-assumption', 'Taken as given: {text}');
export const planSuccess = message('thoughts.plan-success', 'Solved when: {text}');

// Problems that it cannot begin with

export const noTask = message(
  'thoughts.no-task',
  'There is no task "{task}" here. Define your own with --hooks or in your settings, its command with --check.',
);
export const noStrategy = message('thoughts.no-strategy', 'There is no strategy "{strategy}", only {strategies}.');
export const draftsWithTask = message(
  'thoughts.drafts-with-task',
  'A task checks steps, so the strategy "drafts" goes with none. Name another strategy, or leave the task out.',
);
export const notModels = message(
  'thoughts.not-models',
  '"{models}" names no models. Name up to eight, each once, as in "ollama/qwen3,openai/gpt-6-sol"; "=0.50" after a name is the most that it may spend, in dollars.',
);
export const nextModel = message('thoughts.next-model', '{model} made no thoughts ({why}); another model is asked');
export const modelWorth = message(
  'thoughts.model-worth',
  '{model}: {calls}, {usd:usd}, {judged} judged, {good:number} of 10 on average, the best {best:number}',
);
export const modelNoWorth = message('thoughts.model-no-worth', '{model}: {calls}, {usd:usd}, no thought judged');
export const thoughtsJudged = counted('thoughts.thoughts-judged', '1 thought', '{count:number} thoughts');
export const mending = counted(
  'thoughts.mending',
  'A check refused 1 thought; it is given back with what the check says',
  'A check refused {count:number} thoughts; they are given back with what the check says',
);
export const modelsTitle = message('thoughts.models-title', 'What each model was worth');
export const notGame24 = message(
  'thoughts.not-game24',
  'A Game of 24 has four whole numbers, none above 999. Give them as in "4 9 10 13".',
);
export const otherKind = message(
  'thoughts.other-kind',
  'This is a search of kind "{kind}". Only searches for a solution (--kind thoughts) are trees of thoughts; the documents of others are plain Markdown files, ready to be copied.',
);

// Faults of a tree of thoughts of another program

export const notATree = message('thoughts.not-a-tree', 'This is not a tree of thoughts: {why}.');
export const wrongNode = message('thoughts.wrong-node', 'in the node {node}, {why}');
export const tooManyNodes = message('thoughts.too-many-nodes', 'it has {nodes:number} nodes, more than {most:number}');
export const nodeIdLength = message('thoughts.node-id-length', 'the id of a node must have 1 to 1000 characters');
export const otherNodeId = message('thoughts.other-node-id', 'the node under {node} has the id {other}');
export const tooDeep = message('thoughts.too-deep', 'it is deeper than {most:number}');
export const otherDepth = message('thoughts.other-depth', '{node} says that its depth is {said}, but it is at {depth}');
export const rootListed = message('thoughts.root-listed', '{node} lists the root {root} among its children');
export const noParent = message('thoughts.no-parent', '{node} has no parent, and is not the root ({root})');
export const unknownParent = message(
  'thoughts.unknown-parent',
  'the parent of {node}, {parent}, is not among the nodes',
);
export const otherParent = message(
  'thoughts.other-parent',
  '{node} says that its parent is {parent}, but {lister} lists it',
);
export const unknownRoot = message('thoughts.unknown-root', 'the root {root} is not among the nodes');
export const rootWithParent = message('thoughts.root-with-parent', 'the root {root} has a parent, {parent}');
export const noRoot = message('thoughts.no-root', 'no node is the root: each one has a parent');
export const twoRoots = message('thoughts.two-roots', 'both {root} and {second} have no parent; name one as root_id');
export const unknownChild = message('thoughts.unknown-child', '{node} lists {child}, which is not among the nodes');
export const childTwice = message('thoughts.child-twice', '{node} lists {child} twice');
export const childOfTwo = message('thoughts.child-of-two', 'both {first} and {second} list {child}');
export const belowItself = message('thoughts.below-itself', '{node} is below itself');
export const notADocument = message(
  'thoughts.not-a-document',
  'This is not a tree of thoughts: {node} cannot be kept as a document. {why}',
);
export const wrongProblem = message(
  'thoughts.wrong-problem',
  'its problem has to be a text of 1 to 100,000 characters',
);
export const wrongStrategy = message(
  'thoughts.wrong-strategy',
  'its strategy is "{strategy}", and has to be one of {known}',
);

// The report

export const noSolution = message('thoughts.no-solution', 'No solution was found.');
export const noSolutionButPath = message(
  'thoughts.no-solution-but-path',
  'No solution was found. The most promising path so far scores {score}; it ends with {end}.',
);
export const answerAt = counted(
  'thoughts.answer-at',
  'It took 1 step: {end}.',
  'It took {count:number} steps; the last is {end}.',
);
export const draftAt = counted(
  'thoughts.draft-at',
  'This is the draft {end}, as it was first written.',
  'This is the draft {end}, the last of {count:number} versions.',
);
export const notSolvedYet = message('thoughts.not-solved-yet', 'No solution was found yet.');
export const notSolvedYetButPath = message(
  'thoughts.not-solved-yet-but-path',
  'No solution was found yet. The most promising path so far scores {score}; it ends with {end}.',
);
export const stepsUnscored = counted(
  'thoughts.steps-unscored',
  'No judge could score 1 of the {all:number} steps of this answer.',
  'No judge could score {count:number} of the {all:number} steps of this answer.',
);
export const stepsJudgedPoorly = counted(
  'thoughts.steps-judged-poorly',
  '1 of the {all:number} steps of this answer was judged less thoroughly than was asked for.',
  '{count:number} of the {all:number} steps of this answer were judged less thoroughly than was asked for.',
);
export const foundAndMended = message('thoughts.found-and-mended', 'Found and mended');
export const foundAndOpen = message('thoughts.found-and-open', 'Found and still open');
export const madeFrom = message('thoughts.made-from', 'Made from {nodes}.');
export const comparedWith = message('thoughts.compared-with', 'Compared with {node}: {why}');
export const notLookedInto = message('thoughts.not-looked-into', 'Still open');
export const itsVersions = message('thoughts.its-versions', 'Its versions');
export const otherDrafts = message('thoughts.other-drafts', 'Other drafts');
export const itsPath = message('thoughts.its-path', 'Its path');
export const bestPath = message('thoughts.best-path', 'The best path so far');
export const alternatives = message('thoughts.alternatives', 'Alternatives');
export const prunedTitle = message('thoughts.pruned', 'Pruned');
export const theTree = message('thoughts.the-tree', 'The tree');
export const figures = message('thoughts.figures', 'Figures');
export const strategy = message('thoughts.strategy', 'Strategy: {strategy}');
export const nodes = message('thoughts.reached', 'Tree: {progress}; {merged:number} merged, {pruned:number} pruned');
export const backtracks = message('thoughts.backtracks', 'Backtracks: {backtracks:number}');
export const agreement = counted(
  'thoughts.agreement',
  'Scores agreed with outcomes in {share} % of 1 pair',
  'Scores agreed with outcomes in {share} % of {count:number} pairs',
);
export const callsByPurpose = message('thoughts.calls-by-purpose', 'Model calls by purpose: {calls}');
export const noCalls = message('thoughts.no-calls', 'Model calls by purpose: none');

// Why a thought was cut off

export const repeatsThought = message('thoughts.repeats-thought', 'It repeats a thought above it.');
export const breaksConstraint = message('thoughts.breaks-constraint', 'The judge says that it breaks a constraint.');
export const leadsNowhere = message('thoughts.leads-nowhere', 'The judge says that it leads nowhere.');
export const notConfirmed = message('thoughts.not-confirmed', 'A second judge does not confirm that it is a solution.');
export const belowThreshold = message('thoughts.below-threshold', 'Its score is below {threshold:number}.');

// Why it ends for want of gain

export const nothingBetter = counted(
  'thoughts.nothing-better',
  'Nothing got better for 1 call, so the search ends here.',
  'Nothing got better for {count:number} calls, so the search ends here.',
);
export const gainBelowPrice = message(
  'thoughts.gain-below-price',
  'The next call is expected to bring a gain worth {worth:usd}, and costs {price:usd}, so the search ends here.',
);

// Why it asks whether to go on

export const nothingBetterAsks = counted(
  'thoughts.nothing-better-asks',
  'Nothing got better for 1 call. Going on costs about {call} a call; resume to go on.',
  'Nothing got better for {count:number} calls. Going on costs about {call} a call, {all} for as many again; resume to go on.',
);
export const gainBelowPriceAsks = message(
  'thoughts.gain-below-price-asks',
  'The next call is expected to bring a gain worth {worth:usd}, and costs {price:usd}; resume to go on.',
);
export const dollars = message('thoughts.dollars', '{usd:usd}');

// Questions that a recording holds no answer to

export const unaskedProblem = message('thoughts.unasked-problem', 'The problem was never taken apart in it.');
export const unaskedThoughts = message(
  'thoughts.unasked-thoughts',
  'Nobody asked for these next thoughts after "{thought}" in it.',
);
export const unaskedJudgement = message('thoughts.unasked-judgement', 'No judge was asked about "{thought}" in it.');
