import assert from 'node:assert/strict';
import { openQuotesModel } from '../../../../src/models/quotes/quotes-model.ts';
import {
  below,
  childrenOf,
  documentOf,
  makeWorkspace,
  removeWorkspaces,
} from '../../../support/quotes/quotes-workspace.ts';

const SECRET = 'xT7!mQ2#vLp9';
const QUESTION = 'How does the gateway connect to the ledger?';
const FILES = {
  'src/gateway.py': `def connect_gateway(ledger):\n    """Connects the gateway to the ledger."""\n    password = "${SECRET}"\n    return ledger.open(password)\n`,
  'src/ledger.py':
    'class Ledger:\n    """The ledger that a gateway connects to."""\n    def open(self, key):\n        pass\n',
};

describe('documents of quotations', () => {
  after(removeWorkspaces);

  async function documents(...allowedFiles: string[]): Promise<string> {
    const model = openQuotesModel({ workspace: makeWorkspace(FILES), allowedFiles });
    const topics = below([], await childrenOf(model, QUESTION, []));
    const all = await Promise.all(topics.map((lineage) => documentOf(model, QUESTION, lineage)));
    await model.close?.();
    return all.join('\n');
  }

  it('say what was left out of the files that they quote, and quote the rest', async () => {
    const text = await documents();
    assert.match(text, /## Left out\n\n- 1 secret left out of src\/gateway\.py\n/);
    assert.match(text, /password = "\[secret left out\]"/);
    assert.ok(!text.includes(SECRET));
    assert.doesNotMatch(text, /left out of src\/ledger/);
  });

  it('quote a file as it is where this person allows it', async () => {
    const text = await documents('src/gateway.py');
    assert.ok(text.includes(SECRET));
    assert.doesNotMatch(text, /## Left out/);
  });
});
