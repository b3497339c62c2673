import { render } from 'preact';
import { App } from './app.tsx';
import { editorHost } from './state/host.ts';
import { PanelStore } from './state/panel-store.ts';
import './panel.css';
import './bars/bars.css';
import './bars/slots.css';
import './canvas/drawing.css';
import './bars/legend.css';
import './bars/figures.css';
import './bars/lanes.css';
import './bars/timeline.css';
import './parts/parts.css';
import './floats/floats.css';
import './inspector/inspector.css';
import './inspector/document.css';
import './inspector/evaluation.css';
import './inspector/citations.css';
import './inspector/tables.css';
import './calls/calls.css';

const root = document.getElementById('panel');
if (root) {
  const store = new PanelStore(editorHost());
  window.addEventListener('error', ({ message }) => store.fail(message));
  render(<App store={store} />, root);
}
