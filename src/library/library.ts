import { parseDocument } from '../core/text/document.ts';
import { KINDS } from '../kinds/kinds.ts';
import type * as declared from './library-types.d.ts';
import { runSearch } from './run-search.ts';

export const search: typeof declared.search = (request) => runSearch(request, KINDS);

export const readDocument: typeof declared.readDocument = parseDocument;
