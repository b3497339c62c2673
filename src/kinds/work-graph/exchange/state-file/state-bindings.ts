import { parseDocument } from '../../../../core/text/document.ts';
import { isFields } from '../../yaml/same.ts';
import type { Binding } from './state-value.ts';

/** Reads what came about from the documents of nodes. */
export function bindingsIn(documents: ReadonlyMap<string, string>): Map<string, Binding> {
  return new Map(
    [...documents].flatMap(([path, text]) => {
      const binding = bindingIn(text);
      return binding ? [[path, binding] as const] : [];
    }),
  );
}

function bindingIn(document: string): Binding | undefined {
  try {
    const { data } = parseDocument(document);
    const { summary, artifacts } = data;
    if (!isFields(data) || typeof summary !== 'string') return undefined;
    return { summary, artifacts: Array.isArray(artifacts) ? artifacts.filter((each) => typeof each === 'string') : [] };
  } catch {
    return undefined; // a person's front matter need not be valid
  }
}
