/**
 * Text of a model, a server or a file as a notification may show it: the editor makes `[text](address)` a link there,
 * and an address can be a command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
