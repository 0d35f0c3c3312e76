'use strict';
// Replaces the native @vscode/spdlog, which a plain `npm install` does not compile. It must really write: VS Code
// shows the text of output channels from these files.
const { appendFileSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let commonLevel = 2;

class Logger {
  #file;
  #level = commonLevel;
  #bare = false;

  constructor(_kind, _name, file) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true });
  }

  #write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(this.#file, this.#bare ? message : `${time} [${names[level]}] ${message}\n`);
    } catch {
      // The folder is gone: the run is being cleaned up.
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
  clearFormatters() {
    this.#bare = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

// One by one: VS Code imports this file by name, and Node only finds names that are set like this.
exports.version = 11100;
exports.setLevel = (level) => {
  commonLevel = level;
};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
exports.createAsyncRotatingLogger = async (name, file) => new Logger('rotating_async', name, file);
