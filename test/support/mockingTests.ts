import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Unit tests that put something in the place of a module, which others would share. */
export const mockingTests: readonly string[] = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.integration)\.test\.ts$/.test(file))
  .map((file) => path.posix.join('test/unit', ...file.split(path.sep)))
  .filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));
