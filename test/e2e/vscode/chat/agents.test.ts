import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { useWindow } from '../support/use-window.ts';
import { ChatView } from './chat-view.ts';

const HOST = join(import.meta.dirname, '../../../host');
const EXTENSIONS = [join(HOST, 'lm-provider'), join(HOST, 'chat-probe')];
const CLI = join(import.meta.dirname, '../../../../dist/cli.cjs');

/** What tools an agent has, once one of them is there: a server starts with the first message. */
async function toolsOf(chat: ChatView, wanted: RegExp): Promise<string> {
  let last = '';
  await chat.askFirst('@probe which0');
  for (let i = 0; i < 15; i++) {
    await chat.answered(new RegExp(`Tools: .* end which${i}`));
    const said = (await chat.answer.textContent()) ?? '';
    if (wanted.test(said)) return said;
    last = said;
    await chat.ask(`@probe which${i + 1}`);
  }
  throw new Error(`There is no tool ${wanted}: ${last}`);
}

describe('the editor’s own agents', () => {
  const opened = useWindow({ extensions: EXTENSIONS });
  const chat = (): ChatView => new ChatView(opened.window);

  it('have each tool once: those over searches from the window, the others from the server', async () => {
    await opened.window.openContainer('Thought Tree');
    const said = await toolsOf(chat(), /_tot_start/);
    const names = said.match(/\b[\w-]*(?:tree|tot)_\w+\b/g)?.map((name) => name.replace('mcp_thought_tree_', ''));
    assert.deepEqual(names?.toSorted(), [
      'atom_done',
      'atom_next',
      'atom_take',
      'tot_commit',
      'tot_end',
      'tot_list',
      'tot_propose',
      'tot_reclassify',
      'tot_start',
      'tot_status',
      'tree_act',
      'tree_compare',
      'tree_list',
      'tree_read',
      'tree_start',
      'tree_status',
      'tree_wait',
    ]);
  });

  it('lead an investigation by the server, which runs on the editor’s own Node', async () => {
    await chat().ask('@probe …_tot_start {"query":"Where are requests counted?"}');
    await chat()
      .button(/^Allow/)
      .click();
    await chat().answered(/tot_start answered:(?:.|\n)*sessionId/);
    await opened.window.screenshot('agents-tot-start');
    const folder = join(opened.host.folder ?? '', 'thought-trees/where-are-requests-counted');
    assert.ok(existsSync(join(folder, 'search.json')));
  });

  it('begin a free search without a card', async () => {
    await chat().ask(
      '@probe tree_start {"question":"How are requests limited?","model":"workspace/quotes","wait_seconds":30}',
    );
    await chat().answered(/tree_start answered:/);
    await opened.window.treeItem(/^How are requests limited\?, finished/).waitFor();
  });

  it('draw a search as a page inside the chat, where a node is pruned', async () => {
    const { window } = opened;
    await chat().ask('@probe …_tree_status {"search":"how-are-requests-limited"}');
    await chat().answered(/tree_status answered:/);
    const app = await chat().app('[role=treeitem]');
    const node = app.getByRole('treeitem').nth(1);
    const colour = (element: unknown): string =>
      (globalThis as unknown as { getComputedStyle(of: unknown): { color: string } }).getComputedStyle(element).color;
    assert.equal(await node.evaluate(colour), 'rgb(204, 204, 204)', 'the colour of the theme');
    // The chat covers what is scrolled out of it, so a click is sent to the page itself.
    await node.dispatchEvent('click');
    await app.getByRole('button', { name: 'Prune branch' }).dispatchEvent('click');
    // The page asked the server, and the server asks the person.
    await window.notification(/Prune branch .* in the search/).waitFor();
    await window.screenshot('agents-app');
    await window.answerNotification(/Prune branch .* in the search/, 'Respond');
    await window.screenshot('agents-app-respond');
    await window.pick(/^True/i);
    await window.treeItem(/pruned/).waitFor();
  });
});

describe('a server for agents that asks', () => {
  const opened = useWindow({
    extensions: EXTENSIONS,
    env: { PROBE_SERVER: JSON.stringify([CLI, 'mcp', '--dir', join(HOST, 'sample-workspace')]) },
  });
  const chat = (): ChatView => new ChatView(opened.window);

  for (const [answer, said] of [
    ['False', /did\snot\sallow/],
    // It would begin now; nobody gave it a key.
    ['True', /OPENAI_API_KEY/],
  ] as const)
    it(`has its question answered in the chat: ${answer}`, async () => {
      await toolsOf(chat(), /mcp_thought_tree2?_tree_start/);
      await chat().ask('@probe …_tree_start {"question":"What does it cost?","model":"openai/gpt-5-mini"}');
      const allow = chat().button(/^Allow/);
      const submit = chat().button('Submit');
      await allow.or(submit).waitFor();
      if (await allow.isVisible()) await allow.click();
      await submit.waitFor();
      await chat().answered(/Start the search "What does it cost\?"\?(?:.|\n)*Forecast: (?:.|\n)*spends more than \$5/);
      await opened.window.screenshot(`agents-elicit-${answer}`);
      await chat().view.getByText(answer, { exact: true }).last().click();
      if (await submit.isVisible()) await submit.click();
      await chat().answered(said);
      // The editor shows what comes from outside before an agent gets it, until that is allowed for the session. By key:
      // the chat does not always follow its end down to the button, and a mouse would have to scroll first.
      const review = chat().view.getByText('Allow Without Review in this Session').last();
      if (answer === 'False') await review.press('Enter');
    });
});
