import type * as z from 'zod';
import { answerFor } from '../../core/search/conversation.ts';
import { isThoughtTreeError } from '../../core/search/errors.ts';
import { type CheckedDocument, checkDocument } from '../../core/text/document.ts';
import { withoutBlockAtEnd } from '../../core/text/model-output.ts';
import type { TreeNode } from '../../core/tree/tree.ts';
import type { KeptAnswers } from '../../engine/kind.ts';
import { citedDocument } from '../../engine-parts/citations/cite-document.ts';
import {
  type Found,
  findingsTakenFrom,
  foundIn,
  frontAndBody,
  withFindings,
} from '../../engine-parts/report/findings.ts';
import { type ProposedChild, readChildren } from './answers.ts';

/** A model's answer to the question's division: a provisional answer, and the topics of the first level. */
export interface SurveyAnswer extends Found {
  /** Markdown without front matter; empty if the model gave nothing but the list. */
  readonly text: string;
  readonly topics: ProposedChild[];
}

/**
 * Reads a document, without the subtopics that may stand at its end. Its front matter gets its findings in one form; where
 * it names none, they are taken from its sentences that cite lines.
 * @param schema what the search asks of the front matter besides
 * @throws ThoughtTreeError `bad-answer` saying what is wrong, in words for the model
 */
export function readDocument(answer: string, title: string, schema?: z.ZodType): CheckedDocument {
  return withFindings(checkDocument(withoutBlockAtEnd(answer).text, title, schema));
}

/** Returns the subtopics that a document ends with; undefined if there is no such list, or none that can be read. */
export function subtopicsIn(answer: string, maxChildren: number): ProposedChild[] | undefined {
  const { block } = withoutBlockAtEnd(answer);
  return block === undefined ? undefined : childrenIn(block, maxChildren);
}

/** Returns a document's text with another one in the place of it, and the list at its end as it was. */
export function withOtherText(answer: string, text: string): string {
  const { block } = withoutBlockAtEnd(answer);
  return block === undefined ? text : `${text.trimEnd()}\n\n${block}`;
}

/**
 * Reads a provisional answer and the topics below it; a model that gives the list alone is content with that.
 * @throws ThoughtTreeError `bad-answer` if there is no list
 */
export function readSurvey(answer: string, maxChildren: number): SurveyAnswer {
  const { text, block } = withoutBlockAtEnd(answer);
  const topics = readChildren(block ?? answer, maxChildren);
  const { data, body } = frontAndBody(block === undefined ? '' : text);
  const found = foundIn(data);
  const findings = found.findings.length > 0 ? found.findings : findingsTakenFrom(body);
  return { text: body.trim(), findings, open: found.open, topics };
}

function childrenIn(list: string, maxChildren: number): ProposedChild[] | undefined {
  try {
    return readChildren(list, maxChildren);
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // they are asked for once more, by themselves
    throw error;
  }
}

/** Returns a node's document, made from the answer in its conversation; undefined if there is none. */
export async function documentAgain(node: TreeNode, kept: KeptAnswers): Promise<string | undefined> {
  const conversation = node.sessionId === undefined ? undefined : await kept.store.readConversation(node.sessionId);
  const answer = conversation && answerFor(conversation, 'document');
  if (!answer) return undefined;
  try {
    const { workspaceText, folder } = kept;
    return (await citedDocument({ workspaceText, folder }, node, readDocument(answer.text, node.title))).text;
  } catch (error) {
    if (isThoughtTreeError(error, 'bad-answer')) return undefined; // a person's own text need not pass our check
    throw error;
  }
}
