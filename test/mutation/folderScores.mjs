/** Of the changes in a folder of src/core, at least so many are noticed, %. */
const least = { runLife: 90, jobs: 80, outputs: 80, records: 80, batch: 80 };

/** Says how many changes were noticed per folder, and fails if they are too few. */
const reporter = {
  onMutationTestReportReady({ files }) {
    for (const [folder, bar] of Object.entries(least)) {
      const changes = Object.entries(files)
        .filter(([file]) => file.startsWith(`src/core/${folder}/`))
        .flatMap(([, { mutants }]) => mutants.map(({ status }) => status));
      const noticed = changes.filter((status) => status === 'Killed' || status === 'Timeout').length;
      const missed = changes.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
      if (noticed + missed === 0) continue;
      const score = (100 * noticed) / (noticed + missed);
      console.log(`${folder}: ${noticed} of ${noticed + missed}, ${score.toFixed(1)} % (at least ${bar} %)`);
      if (score < bar) process.exitCode = 1;
    }
  },
};

export const strykerPlugins = [{ kind: 'Reporter', name: 'folder-scores', value: reporter }];
