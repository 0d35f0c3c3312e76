// Loaded into the extension host before the extension is, by preloading where that can be done: a workbench may activate
// the extension before any test runs. Notes what loading and activating cost, and what activating asks of the disk and
// of sockets.
const childProcess = require('node:child_process');
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const main = path.resolve(__dirname, '../../../dist/extension.js');
const cost = { activated: false, loadMs: 0, activateMs: 0, asked: [] };
globalThis[Symbol.for('comfyDeck.activation')] = cost;

// The server keeps NODE_OPTIONS from its extension host, so it is told to preload this when it forks.
const { fork } = childProcess;
childProcess.fork = function (file, args = [], options = {}) {
  if (!args.includes('--type=extensionHost')) return fork.call(this, file, args, options);
  const execArgv = [...(options.execArgv ?? []), '--require', __filename];
  return fork.call(this, file, args, { ...options, execArgv });
};
Module.syncBuiltinESMExports();

const load = Module._load;
Module._load = function (request, ...rest) {
  if (path.resolve(String(request)) !== main) return Reflect.apply(load, this, [request, ...rest]);
  const start = performance.now();
  const entry = Reflect.apply(load, this, [request, ...rest]);
  cost.loadMs = performance.now() - start;
  return { ...entry, activate: (context) => activate(entry, context) };
};

function activate(entry, context) {
  const note = () => cost.asked.push('a socket');
  subscribe('net.client.socket', note);
  const restore = [watch(fs, 'fs'), watch(fs.promises, 'fs.promises')];
  const start = performance.now();
  try {
    return entry.activate(context);
  } finally {
    cost.activateMs = performance.now() - start;
    cost.activated = true;
    for (const undo of restore) undo();
    unsubscribe('net.client.socket', note);
  }
}

/** Notes every call of a function of this module until the answer is called. */
function watch(module, name) {
  const originals = Object.entries(module).filter(
    ([key, value]) => typeof value === 'function' && /^[a-z]/.test(key),
  );
  for (const [key, original] of originals) {
    module[key] = function (...args) {
      cost.asked.push(`${name}.${key} ${String(args[0])}`);
      return Reflect.apply(original, this, args);
    };
  }
  return () => Object.assign(module, Object.fromEntries(originals));
}
