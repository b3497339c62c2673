import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { type Node, parseSync } from 'oxc-parser';
import { refuseForeignOptions } from '../../../src/cli/options/kind-options.ts';
import { countsRow } from '../../../src/cli/rows/tree-rows.ts';
import { buildProgram } from '../../../src/cli/run-cli.ts';
import { formatSpend } from '../../../src/cli/terminal/figures.ts';
import { inWords, speak } from '../../../src/cli/terminal/translation.ts';
import { toThoughtTreeError } from '../../../src/core/search/errors.ts';
import { limitWords, raiseWords } from '../../../src/core/search/messages.ts';
import { checkModel } from '../../../src/engine/kind.ts';
import { KINDS } from '../../../src/kinds/kinds.ts';
import { researchDescriptor } from '../../../src/kinds/research/descriptor.ts';
import { thoughtsDescriptor } from '../../../src/kinds/thoughts/descriptor.ts';
import { toyLanguage } from '../../support/toy-language.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A command, and a question that becomes a search: the same in every language. */
const THE_SAME = ['npm start', 'How does a process take over the lease of another one?'];

/** The texts in a file that are sentences or labels, and not for translators. */
function bareTexts(file: string): string[] {
  const source = readFileSync(`${ROOT}${file}`, 'utf8');
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return;
    if (node.type === 'CallExpression' && isForTranslators(source.slice(node.callee.start, node.callee.end))) return;
    const text =
      node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : node.type === 'TemplateLiteral'
          ? node.quasis.map((part) => part.value.cooked).join('…')
          : '';
    if (/[a-z]{2,},? [a-z]{2,}|^[A-Z][a-z]+$/.test(text) && !THE_SAME.includes(text)) found.push(`${file}: ${text}`);
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseSync(file, source).program);
  return found;
}

function isForTranslators(callee: string): boolean {
  return ['l10n.t', 'message', 'counted'].includes(callee);
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

describe('the command line in another language', () => {
  before(async () => speak({ language: 'de', texts: await toyLanguage(ROOT) }));
  after(() => speak(undefined));

  it('says nothing that is not in the one file for translators', () => {
    const files = globSync('src/cli/**/*.ts', { cwd: ROOT });
    assert.ok(files.length > 30);
    assert.deepEqual(files.flatMap(bareTexts), []);
  });

  it('has the words of limits in it', () => {
    const texts = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')) as Record<string, string>;
    for (const { english } of [...Object.values(limitWords), ...Object.values(raiseWords)])
      for (const [key, text] of Object.entries(english)) assert.equal(texts[key], text);
  });

  it('has its whole help in it', () => {
    for (const command of allOf(buildProgram(KINDS, () => undefined))) {
      const help = command.createHelp();
      const texts = [
        help.commandDescription(command),
        ...help.visibleOptions(command).map((option) => help.optionDescription(option)),
        ...help.visibleArguments(command).map((argument) => help.argumentDescription(argument)),
        ...help.visibleCommands(command).map((below) => help.subcommandDescription(below)),
      ];
      for (const text of texts.filter((each) => each !== '')) assert.match(text, /^(?:[\w, -]+: )?‹/, command.name());
      assert.match(command.helpInformation(), /^‹Usage:›/);
    }
  });

  it('says the terms of kinds in it, also within sentences', () => {
    const said = (work: () => void): string => {
      try {
        work();
      } catch (error) {
        return inWords(toThoughtTreeError(error).say);
      }
      return '';
    };
    assert.match(
      said(() => checkModel(thoughtsDescriptor, { label: 'x', prose: false })),
      /‹thoughts›/,
    );
    assert.match(
      said(() => refuseForeignOptions({ picker: 'ranked' }, KINDS, thoughtsDescriptor)),
      /‹research a question›/,
    );
  });

  it('counts in it', () => {
    const counts = { unexpanded: 1200, 'in-progress': 0, expanded: 0, leaf: 1, pruned: 0, failed: 0 };
    assert.equal(
      countsRow(counts, researchDescriptor.words)
        .map(({ text }) => text)
        .join(''),
      '● ‹1 leaf›  ○ ‹1.200 open›',
    );
    const tokens = { prompt: 400, cached: 100, completion: 10, worstCase: 0 };
    assert.equal(
      formatSpend({ calls: 3, tokens, usd: 0.5, usdComplete: true }, false),
      '‹3 calls› · ‹410 tokens (25% cached)› · $0.50',
    );
  });
});
