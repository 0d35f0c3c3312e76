/** Of the changes in a folder of src/core, at least so many are noticed, %; the others have no bar yet. */
const least = { runLife: 90, jobs: 80, outputs: 80, records: 80, batch: 80 };

/** Only one in so many functions, constants and methods is changed, others each day: a sample for the night. */
const share = Number(process.env.COMFY_DECK_MUTATION_SHARE ?? 1);
const day = Math.floor(Date.now() / 86_400_000);

/** Says how many changes were noticed per folder, and fails if they are too few; a sample is too small to fail. */
const reporter = {
  onMutationTestReportReady({ files }) {
    const folders = [...new Set(Object.keys(files).map((file) => file.split('/')[2] ?? ''))];
    for (const folder of folders) {
      const changes = Object.entries(files)
        .filter(([file]) => file.startsWith(`src/core/${folder}/`))
        .flatMap(([, { mutants }]) => mutants.map(({ status }) => status));
      const noticed = changes.filter((status) => status === 'Killed' || status === 'Timeout').length;
      const missed = changes.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
      if (noticed + missed === 0) continue;
      const score = (100 * noticed) / (noticed + missed);
      const bar = least[folder] ?? 0;
      console.log(`${folder}: ${noticed} of ${noticed + missed}, ${score.toFixed(1)} % (at least ${bar} %)`);
      if (share === 1 && score < bar) process.exitCode = 1;
    }
  },
};

const sample = {
  shouldIgnore({ node, parent }) {
    const isPart = parent?.type === 'Program' || parent?.type === 'ClassBody';
    // The members of a class are drawn one by one.
    const isClass = (node.declaration ?? node).type === 'ClassDeclaration';
    if (share === 1 || !isPart || isClass) return undefined;
    const drawn = ((node.start ?? 0) * 7919 + (node.end ?? 0) + day) % share === 0;
    return drawn ? undefined : 'not in the sample of today';
  },
};

export const strykerPlugins = [
  { kind: 'Reporter', name: 'folder-scores', value: reporter },
  { kind: 'Ignore', name: 'sample', value: sample },
];
