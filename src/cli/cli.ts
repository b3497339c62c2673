#!/usr/bin/env node
import { KINDS } from '../kinds/kinds.ts';
import { runCli } from './run-cli.ts';

void runCli(KINDS, process.argv.slice(2));
