import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { EXIT } from '../../src/cli/exit-codes.ts';
import { buildProgram } from '../../src/cli/run-cli.ts';
import { ActionReply, ActionRequest } from '../../src/core/actions/action-call.ts';
import { JournalEvent } from '../../src/core/search/events.ts';
import { ChildrenFile, SearchFile } from '../../src/core/search/search-file.ts';
import { NodeFile } from '../../src/core/tree/node-file.ts';
import { KINDS } from '../../src/kinds/kinds.ts';

/**
 * What others rely on, in words: files and events on disk, exit codes, commands and flags, the editor's commands and
 * settings, what programs import. A change here is seen by people: `UPDATE_GOLDEN=1` writes the new surface, and CHANGELOG.md gets a line.
 */
const GOLDEN = new URL('../golden/surface/', import.meta.url);

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' | ');
  if (schema.items) return `(${typeOf(schema.items)})[]`;
  if (schema.properties) return `{ ${fieldsOf(schema).join('; ')} }`;
  return schema.type ?? 'any';
}

function fieldsOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties)
    .map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`)
    .sort();
}

function linesOf(name: string, schema: z.ZodType): string[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const shape = json.items ?? json;
  const lines = shape.properties ? fieldsOf(shape) : [typeOf(shape)];
  return [name, ...lines.map((line) => `  ${line}`)];
}

function commandLines(command: Command): string[] {
  const args = command.registeredArguments.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`));
  const flags = command.options.map(({ flags }) => `  ${flags}`).sort();
  const below = command.commands.toSorted((a, b) => (a.name() < b.name() ? -1 : 1));
  return [[command.name(), ...args].join(' '), ...flags, ...below.flatMap((each) => commandLines(each))];
}

const { commands, configuration } = packageJson.contributes;
const settings = configuration.flatMap(({ properties }) =>
  Object.entries<{ type?: unknown; scope?: string }>(properties),
);

/** What programs may import, by its types without comments. */
function typesIn(name: string): string[] {
  const types = readFileSync(new URL(`../../src/library/${name}-types.d.ts`, import.meta.url), 'utf8');
  const lines = types.split('\n').filter((line) => !/^\s*(?:\/\/|\/\*\*|\*|$)/.test(line));
  return [`thought-tree${name === 'library' ? '' : `/${name}`}`, ...lines];
}

const surface: Record<string, string[]> = {
  events: JournalEvent.def.right.options
    .flatMap((option) => linesOf(option.shape.type.value, option))
    .concat(linesOf('every event', JournalEvent.def.left)),
  files: [
    ...linesOf('search.json', SearchFile),
    ...linesOf('children.json, each', ChildrenFile),
    ...linesOf('node.json', NodeFile),
    ...linesOf('requests/<id>.json', ActionRequest),
    ...linesOf('requests/<id>.done.json', ActionReply),
  ],
  'exit-codes': Object.entries(EXIT).map(([name, code]) => `${code} ${name}`),
  commands: commandLines(buildProgram(KINDS, () => undefined)),
  library: ['library', 'unstable'].flatMap(typesIn),
  editor: [
    ...commands.map(({ command }) => command).sort(),
    ...settings.map(([key, { type, scope }]) => `${key}: ${JSON.stringify(type)}, ${scope ?? 'window'}`),
  ],
};

if (process.env['UPDATE_GOLDEN']) {
  mkdirSync(GOLDEN, { recursive: true });
  for (const [name, lines] of Object.entries(surface))
    writeFileSync(new URL(`${name}.txt`, GOLDEN), `${lines.join('\n')}\n`);
}

describe('what others rely on', () => {
  for (const [name, lines] of Object.entries(surface))
    it(`is unchanged: ${name}`, () => {
      const kept = readFileSync(new URL(`${name}.txt`, GOLDEN), 'utf8')
        .trimEnd()
        .split('\n');
      assert.deepEqual(lines.join('\n').split('\n'), kept);
    });
});
