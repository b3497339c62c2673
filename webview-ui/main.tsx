import { render } from 'preact';
import { App } from './app.tsx';
import { editorHost } from './host.ts';
import { PanelStore } from './panel-store.ts';
import './panel.css';
import './bars.css';
import './drawing.css';
import './legend.css';
import './inspector.css';

const root = document.getElementById('panel');
if (root) {
  const store = new PanelStore(editorHost());
  window.addEventListener('error', ({ message }) => store.fail(message));
  render(<App store={store} />, root);
}
