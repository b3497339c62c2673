import { type Experiments, LANGUAGES, type Language, RUN_PROGRAM } from '../../../core/ports/experiments.ts';
import { isThoughtTreeError } from '../../../core/search/errors.ts';
import { SecretFilter } from '../../../text/secrets/secret-filter.ts';
import { neededText, Refusal, text } from '../tool-arguments.ts';
import { type BoundTool, boundTool } from '../toolbox-of.ts';
import { told } from './run-command-tool.ts';

/** The longest program, in characters. */
const LONGEST = 8000;

const NAMES: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(LANGUAGES.map((name) => [name, name])),
  ...{ js: 'javascript', node: 'javascript', mjs: 'javascript', py: 'python', python3: 'python' },
  ...{ sh: 'shell', bash: 'shell' },
};

/** The tool that runs a small program on a copy of the workspace, if a person agrees. */
export function runProgramTool(folder: string, experiments: Experiments): BoundTool {
  const filter = new SecretFilter(folder);
  const face = {
    name: RUN_PROGRAM,
    description: `Runs a small program (${LANGUAGES.join(', ')}) in the top folder of a copy of the workspace that is thrown away afterwards, without network, for at most a minute, and gives its exit code and the end of its output. For what reading cannot settle: print what decides. JavaScript is an ES module; installed dependencies are there.`,
    args: {
      program: neededText('the whole program', { longest: LONGEST, also: ['code', 'source', 'script'] }),
      language: text(`one of ${LANGUAGES.join(', ')}; by default javascript`, { also: ['lang'] }),
    },
    example: {
      language: 'javascript',
      program: "import { parse } from './src/parse.js';\nconsole.log(parse('1,,2'));",
    },
  };
  return boundTool(
    face,
    async ({ program, language: said = 'javascript' }, signal) => {
      const language = NAMES[said.trim().toLowerCase()];
      if (!language) throw new Refusal(`There is no such language here. There are: ${LANGUAGES.join(', ')}.`);
      try {
        const outcome = await experiments.run({ language, program }, signal);
        return { text: await told(outcome, filter), what: `run a ${language} program` };
      } catch (error) {
        if (isThoughtTreeError(error, 'declined')) throw new Refusal('The person did not agree to run this program.');
        throw error;
      }
    },
    { longestInput: 2 * LONGEST + 1000 },
  );
}
