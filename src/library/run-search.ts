import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { FindHooks } from '../core/kind/kind-hooks.ts';
import type { Model } from '../core/ports/model.ts';
import type { SearchOptions } from '../core/search/search-file.ts';
import { withoutMissing } from '../core/search/search-file.ts';
import { type Kinds, loadKind } from '../engine/kind.ts';
import { placeFor, titleFrom } from '../searches/place.ts';
import type { OwnModel, Picker, SearchRequest, SearchResult, Task } from './library-types.d.ts';

const QUOTES = 'workspace/quotes';
/** A picker answers at once: what it may write is never the limit. */
const NOTHING = { prompt: 0, cached: 0, completion: 0, usd: 0 };

/**
 * Begins a search and runs it to its end.
 * @param kinds those that it may be of
 */
export async function runSearch(request: SearchRequest, kinds: Kinds): Promise<SearchResult> {
  const { searches } = await import('../searches/searches.ts');
  const {
    question,
    kind = kinds[0]?.descriptor.name ?? '',
    model,
    pick,
    task,
    options,
    limits,
    concurrency,
    read,
    onEvent,
    signal,
  } = request;
  const workspace = resolve(request.workspace ?? '.');
  const title = titleFrom(question);
  const place = placeFor(workspace, title, request.folder);
  const hooks = task && (await hooksOf(kinds, kind, task));
  const { size, maxDepth, ...guards } = limits ?? {};
  const create = await searches.newSearch(kinds, {
    ...{ kind, title, prompt: question, model: model?.name ?? QUOTES },
    options: {
      ...options,
      ...withoutMissing({ size, maxDepth, concurrency, read, task: task?.name }),
    } as SearchOptions,
    ...(hooks && { findHooks: hooks }),
  });
  await writePrompts(place.folder, request);
  const { search } = await searches.open({
    ...{ kinds, place, create, concurrency, findHooks: hooks },
    openModel: async () => {
      const opened = model ? ownModel(model) : await searches.openModel(QUOTES, { workspace, environment: {} });
      return searches.prepareModel(opened, withoutMissing({ price: model?.price }));
    },
    openJudge: pick && (async () => pickingModel(pick)),
    limits: withoutMissing({ size, maxDepth, guards: withoutMissing(guards) }),
    read,
  });
  if (onEvent) search.listen((event) => onEvent({ ...event }));
  const stop = (): void => search.pause(true);
  signal?.addEventListener('abort', stop, { once: true });
  // A search that waits for something has no timer that keeps a process alive.
  const alive = setInterval(() => undefined, 60_000);
  try {
    if (signal?.aborted) stop();
    const outcome = await search.run();
    const { calls, usd, expanded, failed } = outcome.results;
    return {
      ...{ folder: place.folder, state: outcome.state, message: outcome.message ?? '' },
      results: { calls, usd, expanded, failed },
      report: await readFile(join(place.folder, 'report.md'), 'utf8').catch(() => undefined),
    };
  } finally {
    clearInterval(alive);
    signal?.removeEventListener('abort', stop);
    await search.close();
  }
}

async function hooksOf(kinds: Kinds, kind: string, task: Task): Promise<FindHooks | undefined> {
  const { extras } = await loadKind(kinds, { kind });
  return extras.hooks?.with({ runCheck: undefined, exported: task }).find;
}

/** The files with which a search replaces our prompts, as a person would write them. */
async function writePrompts(folder: string, { prompts = {}, frontMatter }: SearchRequest): Promise<void> {
  const files = Object.entries(prompts).map(([name, text]): [string, string] => [`${name}.md`, text]);
  if (frontMatter) files.push(['front-matter.json', JSON.stringify(rulesOf(frontMatter))]);
  if (files.length === 0) return;
  await mkdir(join(folder, 'prompts'), { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, 'prompts', name), text, { flag: 'wx' });
}

/** Returns what a search reads of it: it adds fields, and forbids none. */
function rulesOf(frontMatter: object): object {
  const schema = '_zod' in frontMatter ? z.toJSONSchema(frontMatter as z.ZodType) : frontMatter;
  const { $schema: _dialect, additionalProperties: _others, ...rules } = schema as Record<string, unknown>;
  return rules;
}

function ownModel({ name, free = false, contextTokens, takesSchemas, generate, ...own }: OwnModel): Model {
  return {
    ...{ name, label: name, free },
    ...withoutMissing({ contextTokens, takesSchemas, price: own.price }),
    generate: async (asked, { signal }) => {
      const { purpose, node, system, turns, prompt, schema, maxOutputTokens } = asked;
      const request = { purpose, node, system, turns, prompt, maxOutputTokens, ...(schema && { schema }) };
      return { finish: 'stop', ...(await generate(request, { signal })) };
    },
  };
}

/** Answers in the place of a model that is asked what comes next. */
function pickingModel(pick: Picker): Model {
  return {
    ...{ name: 'library/picker', label: 'picker', free: true, prose: false },
    generate: async ({ data: { question, rule } }, { signal }) => {
      const { candidates, limit } = rule?.by === 'expectation' ? rule : { candidates: [], limit: 0 };
      const order = await pick(candidates, { question, limit, signal });
      return { text: `<output>\n${order.join('\n')}\n</output>`, finish: 'stop', usage: NOTHING };
    },
  };
}
