/**
 * Text of a model, a server or a file made safe for a notification: the editor turns `[text](address)` into a link there,
 * and an address can be a command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
