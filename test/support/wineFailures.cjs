// Which tests failed under Wine, by the reports of Vitest given as arguments. Exits with 1 if one of them is not excused,
// or fewer than 95 % of the tests ran.
const { readFileSync } = require('node:fs');

const git = 'There is no Git for Windows here.';
const links = 'Wine says that it made a symbolic link, and makes none.';
const socket = 'Wine refuses to write more than 1,024 buffers to a socket at once (EMSGSIZE).';

/** What Wine 8 can't do, or our setup of it lacks: the file, the test or the group of tests, how many that are, and why. */
const excuses = [
  ['cli/diffCommand.integration', 'comfy-deck diff shows what changed in a repository', 1, git],
  ['cli/diffCommand.integration', 'git-setup makes Git compare the files, from any folder of', 1, git],
  ['cli/diffCommand.integration', 'git-setup says where there is no repository', 1, git],
  ['cli/diffCommand.integration', 'git-setup keeps every byte of attributes', 1, git],
  ['cli/hostileBatch.integration', "a stranger's batch file sends no line of .env unless", 1, git],
  ['cli/hostileBatch.integration', "a stranger's batch file sends no line of ignored.txt unless", 1, git],
  ['cli/uploads.integration', 'comfy-deck run uploads a hidden file only with', 1, git],
  ['cli/uploads.integration', 'comfy-deck run uploads a file in a hidden folder only with', 1, git],
  ['cli/uploads.integration', 'comfy-deck run uploads a file that Git ignores only with', 1, git],
  ['runs/localFile.integration', 'the file that a workflow names is marked when Git ignores it', 1, git],
  ['host/compare/fileVersions.integration', 'the versions of a file in Git', 19, git],
  ['host/compare/fileVersions.integration', 'a repository that wants a program started gets none', 10, git],
  ['batch/contactSheet', 'the output in a cell of the sheet is never a link', 1, links],
  ['outputs/nodeFolder', 'NodeFolder does not follow a symbolic link', 1, links],
  ['outputs/changeFile', 'a RAM disk that cannot tell real paths is asked link by link', 1, links],
  ['cli/testCommand.integration', "comfy-deck test reads and writes nothing through 'w.expected'", 1, links],
  ['cli/testCommand.integration', "comfy-deck test reads and writes nothing through 'diff'", 1, links],
  ['runs/localFile.integration', 'the file that a workflow names is marked when it is outside the', 1, links],
  ['runs/localFile.integration', 'the file that a workflow names is marked when it or a folder', 1, links],
  ['client/music/musicClient.integration', 'music from the sandbox tolerates odd lines', 1, socket],
];
/** Of the tests that there are on Linux. */
const fewest = 0.95;

const sum = excuses.reduce((all, [, , count]) => all + count, 0);
if (sum > 50) throw new Error(`${sum} tests are excused, which is more than 50.`);
const left = excuses.map(([, , count]) => count);

const counts = { passed: 0, failed: 0, excused: 0, skipped: 0 };
const failed = [];
for (const file of process.argv.slice(2)) {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, assertionResults, message } of testResults) {
    const place = name
      .replaceAll('\\', '/')
      .split('/test/unit/')
      .at(-1)
      .replace(/\.test\.ts$/, '');
    if (assertionResults.length === 0) failed.push(`${place}: ${message}`);
    for (const { status, fullName } of assertionResults) {
      if (status === 'passed') counts.passed++;
      else if (status !== 'failed') counts.skipped++;
      else {
        const excuse = excuses.findIndex(([where, title]) => where === place && fullName.startsWith(title));
        if (excuse >= 0 && left[excuse]-- > 0) counts.excused++;
        else failed.push(`${place} > ${fullName}`);
      }
    }
  }
}
const ran = counts.passed / (counts.passed + failed.length + counts.excused + counts.skipped);
console.log(
  `${counts.passed} passed, ${failed.length} failed, ${counts.excused} failed because of Wine, ${counts.skipped} skipped: ${(ran * 100).toFixed(1)} % of the tests hold`,
);
for (const reason of [git, links, socket]) {
  const those = excuses.flatMap(([, , count, why], at) =>
    why === reason ? [count - Math.max(left[at], 0)] : [],
  );
  console.log(`  ${those.reduce((all, each) => all + each, 0)}: ${reason}`);
}
for (const each of failed) console.log(`  FAILED ${each}`);
process.exit(failed.length > 0 || !(ran >= fewest) ? 1 : 0);
