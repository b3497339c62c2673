// Stands in for the native @vscode/spdlog, so that nothing has to be compiled: output channels and VS Code's own logs
// are written through it. Appends at once, never rotates.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #isRaw = false;

  constructor(file) {
    this.#file = file;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, 'a'));
  }

  #write(level, message) {
    if (level < this.#level) return;
    const line = this.#isRaw ? message : `${new Date().toISOString()} [${LEVELS[level]}] ${message}\n`;
    try {
      fs.appendFileSync(this.#file, line);
    } catch {
      // the folder was removed while VS Code was ending
    }
  }

  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {
    this.#isRaw = false;
  }
  clearFormatters() {
    this.#isRaw = true;
  }
  flush() {}
  drop() {}
}

const create = async (_name, file) => new Logger(file);
// One by one: an import sees only the names that are assigned like this.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
