// The editor's own agents need an account. This participant calls tools as they do: `@probe` (and any other word) names those that an agent of
// this window has, `@probe NAME {"input": "as JSON"}` calls one of them, by its name or
// by `…END` of it: the editor puts names of servers before their tools. With PROBE_SERVER (a command line's arguments, in
// JSON) it also offers an MCP server, as another extension or a person's own configuration would.
const vscode = require('vscode');

exports.activate = (context) => {
  const server = JSON.parse(process.env.PROBE_SERVER ?? 'null');
  const provider = {
    provideMcpServerDefinitions: () =>
      server ? [new vscode.McpStdioServerDefinition('Probe', process.execPath, server, {}, '1')] : [],
  };
  const answer = async ({ prompt, toolInvocationToken }, _context, stream, token) => {
    const [, name, input = '{}'] = /^\s*(\S*)\s*(\{.*\})?\s*$/s.exec(prompt) ?? [];
    const names = vscode.lm.tools.map((tool) => tool.name).sort();
    const found = names.find((each) => each === name || (name?.startsWith('…') && each.endsWith(name.slice(1))));
    if (!name || !found)
      return void stream.markdown(`Tools: ${names.map((each) => `\`${each}\``).join(' ')} end ${name}`);
    try {
      const { content } = await vscode.lm.invokeTool(found, { input: JSON.parse(input), toolInvocationToken }, token);
      const text = content.map(({ value }) => value ?? '').join('\n');
      stream.markdown(`\`${found}\` answered:\n\n\`\`\`\`\n${text.slice(0, 3000)}\n\`\`\`\`\n`);
    } catch (error) {
      stream.markdown(`\`${found}\` failed: ${error.message}`);
    }
  };
  context.subscriptions.push(
    vscode.lm.registerMcpServerDefinitionProvider('chatProbe.server', provider),
    vscode.chat.createChatParticipant('chatProbe.probe', answer),
  );
  void vscode.lm.selectChatModels();
};
