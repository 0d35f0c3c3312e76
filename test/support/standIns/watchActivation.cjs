// Loaded into the extension host before the extension, by preloading if possible: a workbench may activate the
// extension before any test runs. Records the cost of loading and activating, and the disk and socket calls of
// activating.
const childProcess = require('node:child_process');
const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const main = path.resolve(__dirname, '../../../dist/extension.js');
const cost = { activated: false, loadMs: 0, activateMs: 0, asked: [] };
globalThis[Symbol.for('comfyDeck.activation')] = cost;

// The server removes NODE_OPTIONS from its extension host, so the preload is added when it forks.
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

/**
 * Records every call of a function of this module until the result is called. Only calls from our own files count: VS
 * Code writes its log while we call it.
 */
function watch(module, name) {
  const originals = Object.entries(module).filter(
    ([key, value]) => typeof value === 'function' && /^[a-z]/.test(key),
  );
  for (const [key, original] of originals) {
    module[key] = function (...args) {
      const caller = new Error().stack.split('\n')[2] ?? '';
      if (caller.includes(path.dirname(main))) cost.asked.push(`${name}.${key} ${String(args[0])}`);
      return Reflect.apply(original, this, args);
    };
  }
  return () => Object.assign(module, Object.fromEntries(originals));
}
