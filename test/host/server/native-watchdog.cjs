// Stands in for the native @vscode/native-watchdog, which ends the extension host when the server died: a timer in the
// extension host does the same, and the tests end the whole group of processes.
exports.start = () => {};
exports.exit = (code) => process.exit(code);
