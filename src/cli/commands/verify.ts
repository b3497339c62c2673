import type { Command } from 'commander';
import { withoutMissing } from '../../core/search/search-file.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Kinds } from '../../engine/kind.ts';
import { actOnSearch } from '../../searches/act-on-search.ts';
import type { Place } from '../../searches/place.ts';
import { SearchReader } from '../../searches/reader/search-reader.ts';
import {
  type Check,
  checkText,
  countChecks,
  countTexts,
  type Verified,
  verifySearch,
} from '../../searches/verify-search.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { sayWithYes } from '../messages.ts';
import { addJudgeOptions, addModelOptions, placeOf, type SearchFlags } from '../options/options.ts';
import { problemText } from '../rows/texts.ts';
import { askYes, canAsk } from '../running/consent.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { inWords, l10n } from '../terminal/translation.ts';
import { actorFor } from './actions.ts';
import { resumeSearch } from './resume.ts';

interface VerifyFlags {
  readonly folder?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** `verify DIR`, and `update DIR`, which mends what no longer holds. */
export function addVerify(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  addUpdate(program, end, kinds);
  program
    .command('verify')
    .description(l10n.t('check every receipt and every citation of a search again; exit code 1 if one does not hold'))
    .argument('<dir>', l10n.t("the search's folder"))
    .option('--folder <folder>', l10n.t('the workspace folder (default: the one that holds its thought-trees)'))
    .option('--strict', l10n.t('exit code 1 also for what cannot be checked here'))
    .option('--json', l10n.t('one JSON object on stdout'))
    .action(async (dir: string, { folder, strict, json }: VerifyFlags) => {
      const verified = await verifySearch(kinds, await placeOf(dir, folder));
      await tell(verified, json === true);
      const isWrong = verified.checks.some(({ result }) => result === 'fails' || (strict && result === 'unknown'));
      end(isWrong ? EXIT.error : EXIT.finished);
    });
}

async function tell({ overview, checks }: Verified, isJson: boolean): Promise<void> {
  const { out, err } = terminalOf(process);
  if (isJson) {
    const counts = { receipts: countChecks(checks, 'receipt'), citations: countChecks(checks, 'citation') };
    out.line(JSON.stringify({ ...counts, checks: checks.map(checkObject) }, undefined, 2));
  } else {
    for (const check of checks) if (check.result !== 'holds') out.line(checkText(check, inWords));
    for (const counted of countTexts(checks)) out.line(inWords(counted));
    for (const problem of overview.problems) err.line(problemText(problem));
  }
  await out.drained();
}

function checkObject({ path, what, about, result, why }: Check): object {
  return {
    path,
    what,
    ...withoutMissing({ about: about || undefined }),
    result,
    ...withoutMissing({ why: why?.text }),
  };
}

type UpdateFlags = SearchFlags & { readonly yes?: true };

function addUpdate(program: Command, end: (code: ExitCode) => void, kinds: Kinds): void {
  const command = program
    .command('update')
    .description(
      l10n.t(
        'write those documents anew that quote what has changed, or are below a text that you edited; says the price, then asks',
      ),
    )
    .argument('<dir>', l10n.t("the search's folder"))
    .option('--yes', l10n.t('without asking'))
    .option('--json', l10n.t('one JSON object on stdout: what is out of date; with --yes, every event as a line, too'));
  addJudgeOptions(addModelOptions(command)).action(async (dir: string, flags: UpdateFlags) => {
    end(await update(await placeOf(dir, flags.folder), flags, kinds));
  });
}

async function update(place: Place, flags: UpdateFlags, kinds: Kinds): Promise<ExitCode> {
  const search = await SearchReader.read(place);
  const { citationsNow: old } = await import('../../searches/citations-now.ts');
  const citations = old.open();
  const { nodes, paths, spent } = await old.outOfDate(search, citations).finally(() => citations.dispose());
  const { out, err } = terminalOf(process);
  if (flags.json) out.line(JSON.stringify({ nodes, spent }));
  else if (nodes.length === 0) out.line(inWords(old.nothingOld()));
  else {
    for (const { title, ...why } of nodes)
      out.line(`${oneLine(title, 200)}: ${old.whyOld(why).map(inWords).join(', ')}`);
    if (paths.length > 0) out.line(inWords(old.priceOfOld(paths.length, spent)));
  }
  await out.drained();
  if (paths.length === 0) return EXIT.finished;
  if (!flags.yes) {
    const question = old.bringUpToDate(paths.length);
    if (flags.json || !canAsk()) {
      if (!flags.json) out.line(inWords(sayWithYes({ question })));
      return EXIT.finished;
    }
    if (!(await askYes(inWords(question)))) return EXIT.declined;
  }
  // Nothing changes before its model is there, and may be used.
  if (search.holder?.state !== 'alive') return await resumeSearch(place, flags, kinds, { anew: paths });
  const actor = actorFor(kinds, place, flags);
  for (const node of paths) {
    const outcome = await actOnSearch(place, { action: 'redo', node }, actor);
    if (!outcome.ok) err.line(`${oneLine(node, 300)}: ${oneLine(inWords(outcome.say), 1000)}`);
  }
  return EXIT.finished;
}
