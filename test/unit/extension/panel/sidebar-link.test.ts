import assert from 'node:assert/strict';
import { mock } from 'node:test';
import '../use-fake-vscode.ts';
import type { SidebarLink as Link, Sidebar } from '../../../../src/extension/panel/graph-panel.ts';
import type { TreeElement } from '../../../../src/extension/sidebar/tree-element.ts';
import { EventEmitter } from '../fake-events.ts';

const { SidebarLink } = await import('../../../../src/extension/panel/graph-panel.ts');

const row = (folder: string, path: string, kind = path === '' ? 'search' : 'node'): TreeElement =>
  ({ kind, folder, path }) as TreeElement;

/** A sidebar whose rows are found a moment later, as in the editor; its selection is told when it changes. */
function sidebarOf(isVisible = true) {
  const changes = new EventEmitter<{ selection: readonly TreeElement[] }>();
  const followed: string[] = [];
  let selection: readonly TreeElement[] = [];
  const click = (...rows: TreeElement[]): void => {
    selection = rows;
    changes.fire({ selection });
  };
  const view = {
    visible: isVisible,
    get selection() {
      return selection;
    },
    onDidChangeSelection: changes.event,
  } as unknown as Sidebar['view'];
  const follow = async (folder: string, path: string): Promise<void> => {
    await new Promise((done) => setTimeout(done, 20));
    followed.push(path);
    click(row(folder, path));
  };
  return { view, follow, followed, click };
}

/** Lets so many milliseconds pass, and whatever waits for them run. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    mock.timers.tick(10);
    await new Promise(setImmediate);
  }
}

const rest = (): Promise<void> => pass(250);

describe('the selection of a drawing and of the sidebar', () => {
  const links: Link[] = [];
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => {
    mock.timers.reset();
    for (const link of links.splice(0)) link.dispose();
  });

  function linked(sidebar = sidebarOf()) {
    const shown: string[] = [];
    const link = new SidebarLink(sidebar, '/s', (path) => {
      shown.push(path);
      link.selected(path); // as the page answers
    });
    links.push(link);
    return { ...sidebar, link, shown };
  }

  it('follow each other', async () => {
    const { link, shown, followed, click } = linked();
    link.selected('a/b');
    await rest();
    assert.deepEqual([followed, shown], [['a/b'], []], 'the sidebar follows, and the drawing stays');
    click(row('/s', 'c'));
    await rest();
    assert.deepEqual([followed, shown], [['a/b'], ['c']], 'the drawing follows, and the sidebar stays');
  });

  it('are alike at the end of a walk by keys, of which only the end is followed', async () => {
    const { link, shown, followed } = linked();
    for (const path of ['a', 'b', 'c']) link.selected(path);
    await rest();
    assert.deepEqual([followed, shown], [['c'], []]);
    link.selected('d');
    await pass(160); // the sidebar is on its way to d
    link.selected('e');
    await rest();
    await rest();
    assert.deepEqual([followed.at(-1), shown], ['e', []]);
  });

  it('are let alone where the sidebar is hidden, where it has the row already, and where nothing is selected', async () => {
    const hidden = linked(sidebarOf(false));
    hidden.link.selected('a');
    const same = linked();
    same.click(row('/s', 'a'));
    same.link.selected(null);
    await rest();
    assert.deepEqual([hidden.followed, same.followed, same.shown], [[], [], ['a']]);
  });

  it('are those of one search: other rows, rows of another one and several rows change nothing', async () => {
    const { shown, click, link } = linked();
    click(row('/other', 'a'));
    click(row('/s', 'a', 'more'));
    click(row('/s', 'a'), row('/s', 'b'));
    click(row('/s', ''));
    assert.deepEqual(shown, [], 'a search is opened in the list, and nothing of it is being looked at');
    link.selected('a');
    click(row('/s', ''));
    assert.deepEqual(shown, ['']);
  });
});
