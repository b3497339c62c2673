import type { Palette } from '../src/drawing/palette.ts';
import { treeSvg } from '../src/drawing/tree-svg.ts';
import type { GraphNode, GraphSearch } from '../src/protocol/graph-node.ts';

/** The colours of whichever theme is in use: the editor puts these pictures into its own page. */
const THEME: Palette = {
  background: 'var(--vscode-editor-background)',
  card: 'var(--vscode-editorWidget-background)',
  border: 'var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-descriptionForeground)))',
  text: 'var(--vscode-foreground)',
  dim: 'var(--vscode-descriptionForeground)',
  edge: 'var(--vscode-descriptionForeground)',
  focus: 'var(--vscode-focusBorder)',
  selection: 'var(--vscode-list-inactiveSelectionBackground)',
  selectionText: 'var(--vscode-foreground)',
  green: 'var(--vscode-charts-green)',
  blue: 'var(--vscode-charts-blue)',
  yellow: 'var(--vscode-charts-yellow)',
  orange: 'var(--vscode-charts-orange)',
  purple: 'var(--vscode-charts-purple)',
  red: 'var(--vscode-errorForeground)',
  disabled: 'var(--vscode-disabledForeground)',
  font: 'var(--vscode-font-family)',
  isContrast: false,
};

type Drawn = Omit<GraphNode, 'index'>;

const QUESTION: Drawn = { path: '', title: 'How are requests authenticated?', status: 'expanded' };

const START: readonly Drawn[] = [
  QUESTION,
  { path: 'sessions', title: 'Sessions and their cookies', status: 'in-progress', score: 9 },
  { path: 'tokens', title: 'Tokens for programs', status: 'in-progress', score: 7 },
  { path: 'errors', title: 'What a refusal says', status: 'unexpanded', score: 5 },
  { path: 'audit', title: 'What is logged', status: 'unexpanded', score: 4 },
];

/** Every status once, each under its own name. */
const STEER: readonly Drawn[] = [
  QUESTION,
  { path: 'expanded', title: 'Expanded: it has a document and subtopics', status: 'expanded', score: 9 },
  { path: 'leaf', title: 'Leaf: it has a document, and ends here', status: 'leaf', score: 8 },
  { path: 'in-progress', title: 'In progress: a model works on it', status: 'in-progress', score: 7 },
  { path: 'unexpanded', title: 'Open: nobody looked into it yet', status: 'unexpanded', score: 5 },
  { path: 'pruned', title: 'Pruned: the search stays away from it', status: 'pruned', score: 2 },
  { path: 'failed', title: 'Failed: retry it from its menu', status: 'failed' },
];

const REPORT: readonly Drawn[] = [
  QUESTION,
  { path: 'sessions', title: 'Sessions and their cookies', status: 'leaf', score: 9 },
  { path: 'tokens', title: 'Tokens for programs', status: 'leaf', score: 7 },
  { path: 'errors', title: 'What a refusal says', status: 'leaf', score: 5 },
  { path: 'styles', title: 'Styles of the sign-in page', status: 'pruned', score: 1 },
];

/**
 * Returns the drawings of the walkthrough by the names of their files: as the panel draws them, in the reader's theme.
 */
export function walkthroughPictures(): ReadonlyMap<string, string> {
  return new Map([
    ['start.svg', drawn(START, [])],
    ['steer.svg', drawn(STEER, ['expanded'])],
    ['report.svg', drawn(REPORT, ['sessions'])],
  ]);
}

function drawn(nodes: readonly Drawn[], bestPath: readonly string[]): string {
  const search = { bestPath } as unknown as GraphSearch;
  const svg = treeSvg({ search, nodes: nodes.map((node, index) => ({ ...node, index })) }, THEME);
  // Without the room that a file has to its left and right: there is little next to the steps, and text has to be read.
  return svg.replace(/viewBox="0 0 (\d+) /, (_all, width: string) => `viewBox="24 0 ${Number(width) - 96} `);
}
