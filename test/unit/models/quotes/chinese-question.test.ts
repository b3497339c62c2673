import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Model } from '../../../../src/core/ports/model.ts';
import { someOf } from '../../../support/effort.ts';
import { childrenOf } from '../../../support/quotes/quotes-workspace.ts';
import { closeModels, mochaModel, modelOf } from '../../../support/quotes/shared-models.ts';

/** Questions on mocha's sources, and the file that a colleague would open. */
const ON_MOCHA: Readonly<Record<string, string>> = {
  '测试超时之后会怎么样？': 'lib/runnable.js',
  '如何检测泄漏的全局变量？': 'lib/runner.js',
  '监视的文件改变时如何重新运行测试？': 'lib/cli/watch-run.cjs',
  '按什么顺序查找配置文件？': 'lib/cli/config.cjs',
  '嵌套套件的钩子按什么顺序执行？': 'lib/runner.js',
  '未捕获的异常由谁处理？': 'lib/runner.js',
  '通过、失败和待定的数量怎么统计？': 'lib/stats-collector.js',
  '實際值和期望值的差異如何顯示？': 'lib/reporters/base.js',
  タイムアウトのエラーはどこで作成されますか: 'lib/errors.js',
  '테스트 시간 초과는 어디에서 처리되나요?': 'lib/runnable.js',
};
/** The same on our own. */
const ON_OURS: Readonly<Record<string, RegExp>> = {
  '密码和密钥是怎么被隐藏的？': /^text\/secrets\//,
  // `howToGoOn` of farewell.ts says by which command.
  '暂停之后如何恢复搜索？': /resume|search-commands|rows\/farewell/,
  '预算用完以后会怎样？': /^engine\/(?:model-caller|limits)\.ts$/,
};

describe('a question in Chinese, Japanese or Korean on English code', () => {
  const mocha = mochaModel();
  const ours = modelOf(join(import.meta.dirname, '../../../../src'));
  after(closeModels);

  async function firstThree(model: Model, question: string): Promise<string[]> {
    const children = await childrenOf(model, question, []);
    return children.slice(0, 3).map(({ title }) => /\(([^()]+)\)$/.exec(title)?.[1] ?? title);
  }

  for (const [question, file] of Object.entries(ON_MOCHA))
    it(`has the right file of mocha among the first three topics: ${question}`, async () => {
      const files = await firstThree(mocha, question);
      assert.ok(files.includes(file), files.join(', '));
    });

  for (const [question, file] of someOf(Object.entries(ON_OURS)))
    it(`has the right file of our own sources: ${question}`, async () => {
      const files = await firstThree(ours, question);
      assert.ok(
        files.some((path) => file.test(path)),
        files.join(', '),
      );
    });
});
