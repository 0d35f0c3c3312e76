// The workbench tests: node test/support/runTs.mjs test/support/testUi.ts [--oldest] [--pictures] [--review] [FILE] [-t TITLE]
import { finishWith } from './partResult';
import { packageTestVsix, runUiTests } from './uiTests';
import { newest, oldest } from './vsCodeVersions';

const args = process.argv.slice(2);
// Takes the pictures of README.md instead of testing.
if (args.includes('--pictures')) process.env.COMFY_DECK_PICTURES = '1';
// Keeps the pictures that the tests take of what they see.
if (args.includes('--review')) process.env.COMFY_DECK_REVIEW = 'out/ui-pictures';
const onOldest = args.includes('--oldest');
const part = onOldest ? `ui, VS Code ${oldest.desktop}` : 'ui';
await finishWith(part, async () => ({
  ...(await runUiTests(
    onOldest ? oldest : newest,
    packageTestVsix(),
    args.filter((arg) => !['--oldest', '--pictures', '--review'].includes(arg)),
  )),
  part,
}));
process.exit();
