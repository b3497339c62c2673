import assert from 'node:assert/strict';
import { KNOWN_ANSWERS } from '../../../support/quotes/quotes-questions.ts';
import { below, childrenOf, documentOf, folderOf, quotesIn } from '../../../support/quotes/quotes-workspace.ts';
import { mochaModel } from '../../../support/quotes/shared-models.ts';

describe('the answers to 20 questions on what mocha does', () => {
  const model = mochaModel();

  // A reader of an answer sees its first-level topics in order; each one's document opens with a quotation and its link.
  // The first three links are those that the first three documents open with.
  it('have the right file among the first three links for at least 16', async () => {
    const missed: string[] = [];
    for (const { question, files } of KNOWN_ANSWERS) {
      const topics = below([], await childrenOf(model, question, []));
      const links = await Promise.all(
        topics
          .slice(0, 3)
          .map(async (lineage) => quotesIn(await documentOf(model, question, lineage), folderOf(lineage))[0]),
      );
      if (!links.some((link) => link && files.includes(link.path))) missed.push(question);
    }
    assert.ok(KNOWN_ANSWERS.length - missed.length >= 16, `missed: ${missed.join(' | ')}`);
  });

  it('have the right file among those that the first document says to read first for at least 16', async () => {
    const missed: string[] = [];
    for (const { question, files } of KNOWN_ANSWERS) {
      const [first = []] = below([], await childrenOf(model, question, []));
      const [, section = ''] = (await documentOf(model, question, first)).split('## Read first');
      const paths = Array.from(section.matchAll(/\]\((?:\.\.\/)+([^)#]+)#L/g), ([, path]) => path ?? '');
      assert.ok(paths.length >= 2 && paths.length <= 3, `${paths.length} files to read first: ${question}`);
      if (!files.some((file) => paths.includes(file))) missed.push(question);
    }
    assert.ok(KNOWN_ANSWERS.length - missed.length >= 16, `missed: ${missed.join(' | ')}`);
  });
});
