import { signal } from '@preact/signals';
import { render } from 'preact';
import { PanelStore } from '../state/panel-store.ts';
import { ChatApp } from './chat-app.tsx';
import { ChatHost } from './chat-host.ts';
import '../panel.css';
import '../bars/bars.css';
import '../bars/slots.css';
import '../canvas/drawing.css';
import '../bars/legend.css';
import '../bars/figures.css';
import '../bars/lanes.css';
import '../parts/parts.css';
import '../floats/floats.css';
import '../inspector/inspector.css';
import '../inspector/document.css';
import '../inspector/evaluation.css';
import '../inspector/citations.css';
import '../inspector/tables.css';
import './chat.css';

/** How high the page wants to be; chats give it at most 750 pixels. */
const HEIGHT = 560;

const root = document.getElementById('panel');
if (root) {
  const chat = new ChatHost(window.parent);
  const store = new PanelStore(chat);
  const refusal = signal('');
  chat.onRefusal = (text) => {
    refusal.value = text;
  };
  window.addEventListener('error', ({ message }) => store.fail(message));
  render(<ChatApp store={store} refusal={refusal} />, root);
  void chat.begin().then(() => chat.resize(window.innerWidth, HEIGHT));
}
