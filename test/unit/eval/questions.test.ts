import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { codeBases } from '../../../eval/code-bases.ts';
import { decidingLines, questionsAbout } from '../../../eval/questions.ts';

describe('the questions of the evaluation', () => {
  it('are each about a code base of their half, at most half of them with a name, and no two the same', async () => {
    const all = await codeBases();
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
    for (const { name, half } of all) {
      const questions = await questionsAbout(name, half);
      assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length, name);
      assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length, name);
      assert.ok(
        questions.every(({ id }) => id.startsWith(`${name}-`)),
        name,
      );
      const unnamed = questions.filter(({ named }) => !named).length;
      assert.ok(unnamed * 2 >= questions.length, `${name}: only ${unnamed} of ${questions.length} without a name`);
    }
  });

  it('name lines of a file that is right, in order', async () => {
    for (const { name, half } of await codeBases())
      for (const question of await questionsAbout(name, half))
        for (const { path, start, end } of decidingLines(question)) {
          assert.ok(question.files.includes(path), `${question.id}: ${path}`);
          assert.ok(start >= 1 && end >= start, question.id);
        }
  });

  it('have a code base, wherever they are', async () => {
    const known = (await codeBases()).flatMap(({ name, half }) => [`${half}/${name}.json`, `shown/${name}.json`]);
    const files = globSync('*/*.json', { cwd: join(import.meta.dirname, '../../../eval/questions') });
    assert.deepEqual(
      files.filter((file) => !known.includes(file.replaceAll('\\', '/'))),
      [],
    );
  });
});
