'use strict';
// Replaces the native watchdog: an extension host must not outlive its server.
exports.start = (pid) => {
  const look = () => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(87);
    }
  };
  setInterval(look, 2000).unref();
};
exports.exit = (code) => process.exit(code ?? 0);
