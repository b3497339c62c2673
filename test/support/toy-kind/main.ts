import { runCli } from '../../../src/cli/run-cli.ts';
import { WITH_ERRANDS } from './errands.ts';

// A command line with one more kind: the list of kinds is all that it is told.
void runCli(WITH_ERRANDS, process.argv.slice(2));
