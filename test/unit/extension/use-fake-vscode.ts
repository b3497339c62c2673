import { registerHooks } from 'node:module';

/** Every import of `vscode` in this process is one of the fake from here on: import what uses it after this. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: new URL('fake-vscode.ts', import.meta.url).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
