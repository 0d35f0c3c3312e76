// The tests inside a real VS Code: node test/support/runTs.mjs test/support/testHost.ts [--oldest] [--grep TITLE]
import { parseArgs } from 'node:util';
import { runHostTests } from './hostTests';
import { finishWith } from './partResult';
import { newest, oldest } from './vsCodeVersions';

const { values } = parseArgs({
  options: { oldest: { type: 'boolean' }, grep: { type: 'string', short: 'g' } },
});
const part = values.oldest === true ? `host, VS Code ${oldest.desktop}` : 'host';
await finishWith(part, async () => ({
  ...(await runHostTests(values.oldest === true ? oldest : newest, { grep: values.grep })),
  part,
}));
process.exit();
