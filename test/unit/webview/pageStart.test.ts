import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every page starts after all classes of its file are there', () => {
  const pages = readdirSync('src/webview')
    .map((folder) => `src/webview/${folder}/main.ts`)
    .filter((page) => existsSync(page));
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages) {
    const lines = readFileSync(page, 'utf8').trimEnd().split('\n');
    const start = lines.findIndex((line) => /^new \w+\(\)\.start\(\);$/.test(line));
    const last = lines.findLastIndex((line) => /^(export )?(abstract )?class /.test(line));
    expect(start === -1 || start > last, page).toBe(true);
  }
});
