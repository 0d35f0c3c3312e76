// Preloaded into the VS Code server. Its standard input is a pipe from the test runner: when the runner is gone, even
// by SIGKILL, the pipe closes and the server ends its whole process group.
if (/(server-main|out\/node\/entry)\.js$/.test(process.argv[1] ?? '')) {
  const end = () => {
    try {
      process.kill(-process.pid, 'SIGTERM');
    } catch {
      process.exit(1);
    }
    setTimeout(() => process.exit(1), 2000).unref();
  };
  process.stdin.on('close', end).on('error', end).resume();
}
