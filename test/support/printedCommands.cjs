// Run by Node for Windows: what the command line prints to be copied is run again through cmd.exe.
const { spawnSync } = require('node:child_process');
const { mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const folder = path.resolve('printed commands (1)');
const cli = path.resolve('dist/cli.js');
mkdirSync(folder, { recursive: true });
// As npm installs it.
writeFileSync('comfy-deck.cmd', `@"${process.execPath}" "${cli}" %*\r\n`);

/** Streams are files, which Wine needs. */
function run(command, args, options = {}) {
  const file = path.join(folder, 'said.txt');
  const out = openSync(file, 'w');
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', out, out], ...options });
  if (error) throw error;
  return { status, said: readFileSync(file, 'utf8') };
}

// A run whose outputs are owed, by a server that is away: the record of a real one, as it was before its end.
const [name] = readdirSync('one').filter((each) => each.endsWith('.run.json'));
const record = JSON.parse(readFileSync(path.join('one', name), 'utf8'));
const owed = {
  ...record,
  state: 'submitted',
  job: 'job-1 (of 2)',
  server: 'http://127.0.0.1:9',
  files: [],
  expected: [],
};
writeFileSync(path.join(folder, name), JSON.stringify(owed));

const listed = run(process.execPath, [cli, 'jobs', '--out', folder]);
const line = listed.said.split(/\r?\n/).find((each) => each.trim().startsWith('comfy-deck fetch'));
if (!line) throw new Error(`No command was printed:\n${listed.said}`);
console.log(line.trim());
const again = run('cmd.exe', ['/d', '/s', '/c', `"${line.trim()}"`], {
  windowsVerbatimArguments: true,
  env: { ...process.env, PATH: `${process.cwd()};${process.env.PATH}` },
});
console.log(again.said);
// The words arrived: what is missing is the server alone.
if (!/127\.0\.0\.1:9/.test(again.said) || again.status !== 1)
  throw new Error('The printed command was not understood.');
