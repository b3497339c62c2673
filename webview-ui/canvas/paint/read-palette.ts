import type { Palette } from '../../../src/drawing/palette.ts';

/** Reads the current theme. Missing colours are replaced by ones that always exist. */
export function readPalette(body: HTMLElement = document.body): Palette {
  const style = getComputedStyle(body);
  const colour = (...names: string[]): string => {
    for (const name of names) {
      const value = style.getPropertyValue(`--vscode-${name}`).trim();
      if (value !== '') return value;
    }
    return style.color;
  };
  const isContrast = /\bvscode-high-contrast\b/.test(body.className);
  const background = colour('editor-background');
  return {
    background,
    card: isContrast ? background : colour('editorWidget-background', 'editor-background'),
    border: colour('contrastBorder', 'widget-border', 'panel-border', 'editorWidget-border'),
    text: colour('foreground'),
    dim: colour('descriptionForeground', 'foreground'),
    edge: isContrast ? colour('foreground') : colour('tree-indentGuidesStroke', 'descriptionForeground'),
    focus: colour('focusBorder'),
    selection: isContrast ? background : colour('list-inactiveSelectionBackground', 'list-hoverBackground'),
    selectionText: isContrast ? colour('foreground') : colour('list-inactiveSelectionForeground', 'foreground'),
    green: colour('charts-green', 'foreground'),
    blue: colour('charts-blue', 'foreground'),
    yellow: colour('charts-yellow', 'foreground'),
    orange: colour('symbolIcon-classForeground', 'charts-orange', 'foreground'),
    purple: colour('charts-purple', 'foreground'),
    red: colour('errorForeground', 'charts-red'),
    disabled: colour('disabledForeground', 'descriptionForeground'),
    font: colour('font-family'),
    isContrast,
  };
}

/** Calls back when the theme changes, which the editor signals by attributes. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  return () => observer.disconnect();
}
