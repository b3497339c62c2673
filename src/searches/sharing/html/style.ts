/** The style of the page: its colours follow the reader's system, and forced colours are left alone. */
export const STYLE = `
:root { color-scheme: light dark; --background: #ffffff; --card: #f6f6f6; --border: #c8c8c8; --text: #2b2b2b; --dim: #5f5f5f;
  --edge: #a0a0a0; --link: #005fb8; --green: #2e7d32; --blue: #1a73c7; --gold: #8a6200; --orange: #b85c00; --purple: #652d90;
  --red: #c72e0f; --disabled: #6b6b6b; }
@media (prefers-color-scheme: dark) {
  :root { --background: #1f1f1f; --card: #282828; --border: #4a4a4a; --text: #d4d4d4; --dim: #a5a5a5; --edge: #6e6e6e;
    --link: #6cb6ff; --green: #89d185; --blue: #3794ff; --gold: #d7ba7d; --orange: #ee9d28; --purple: #b180d7; --red: #ff7b72;
    --disabled: #9a9a9a; }
}
@media (forced-colors: active) {
  :root { --background: Canvas; --card: Canvas; --border: CanvasText; --text: CanvasText; --dim: CanvasText; --edge: CanvasText;
    --link: LinkText; --green: CanvasText; --blue: CanvasText; --gold: Highlight; --orange: CanvasText; --purple: CanvasText;
    --red: CanvasText; --disabled: GrayText; }
  .drawing svg { forced-color-adjust: none; }
}
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 60rem; background: var(--background); color: var(--text);
  font: 1rem/1.55 -apple-system, 'Segoe UI', system-ui, Ubuntu, 'Droid Sans', sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 0.6rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--border); }
h3 { font-size: 1.1rem; margin: 1.6rem 0 0.3rem; }
h4, h5, h6 { font-size: 1rem; margin: 1.1rem 0 0.3rem; }
h1, h2, h3, h4, h5, h6, p, li, td, th, span { overflow-wrap: anywhere; }
a { color: var(--link); }
.question { white-space: pre-wrap; font-size: 1.05rem; }
.facts, .thought-tree-head, footer, nav { color: var(--dim); font-size: 0.9rem; }
nav a { margin-right: 1rem; }
.file { text-decoration: underline dotted; }
article { content-visibility: auto; contain-intrinsic-size: auto 20rem; }
article:target > h3 { outline: 2px solid var(--link); outline-offset: 3px; }
pre, code { font: 0.85rem/1.45 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--card); }
code { padding: 0.1em 0.25em; border-radius: 3px; overflow-wrap: anywhere; }
pre { padding: 0.6rem 0.8rem; border: 1px solid var(--border); border-radius: 5px; white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { padding: 0; background: none; }
blockquote { margin: 0.6rem 0; padding: 0 0.9rem; border-left: 3px solid var(--border); color: var(--dim); }
table { border-collapse: collapse; margin: 0.6rem 0; }
th, td { border: 1px solid var(--border); padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
.right { text-align: right; }
.center { text-align: center; }
.drawing { overflow: auto; max-height: 80vh; border: 1px solid var(--border); border-radius: 5px; }
.drawing svg { display: block; }
.drawing a:focus-visible rect, .drawing a:hover rect { stroke: var(--link); stroke-width: 2; }
.tree ul { padding-left: 1.3rem; }
@media print { .drawing { overflow: visible; max-height: none; } .drawing svg { max-width: 100%; height: auto; } }
`;
