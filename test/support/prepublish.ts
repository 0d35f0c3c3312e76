// Runs before vsce packs: builds for production, and writes the notices about third-party software.
import { spawnSync } from 'node:child_process';
import { writeShippedNotices } from './packaging/shippedNotices';

const { status } = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
try {
  writeShippedNotices();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
