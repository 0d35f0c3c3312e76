// Which tests failed under Wine, by the reports of Vitest given as arguments; exits with 1 if one is not excused.
const { readFileSync } = require('node:fs');

/** What Wine 8 can't do, or our setup of it lacks: the names of tests, and why. At most `most` tests in all. */
const excuses = [
  [
    /symbolic link|never a link|is asked link by link/i,
    'Wine says that it made a symbolic link, and makes none',
  ],
  [/\bgit\b|commit|repositor|versions of a file/i, 'there is no Git for Windows here'],
  [/music .*(?:whole|long)|EMSGSIZE/i, 'a write of more than 1,024 buffers to a socket fails'],
];
const most = 50;

let passed = 0;
let excused = 0;
const failed = [];
for (const file of process.argv.slice(2)) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, assertionResults, message } of testResults) {
    if (assertionResults.length === 0) failed.push(`${name}: ${message}`);
    for (const { status, fullName } of assertionResults) {
      if (status === 'passed') passed++;
      if (status !== 'failed') continue;
      if (excuses.some(([pattern]) => pattern.test(`${name} ${fullName}`))) excused++;
      else failed.push(`${name.split('/repo/')[1] ?? name} > ${fullName}`);
    }
  }
}
console.log(`${passed} passed, ${failed.length} failed, ${excused} failed because of Wine`);
for (const each of failed) console.log(`  ${each}`);
process.exit(failed.length > 0 || excused > most || passed === 0 ? 1 : 0);
