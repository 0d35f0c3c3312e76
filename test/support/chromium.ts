import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { CannotRun } from './partResult';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const aptInstall = 'apt-get update && apt-get install -y --no-install-recommends chromium fonts-dejavu-core';

/** The path of a Chromium. Installs Debian's if this process may. */
export function findChromium(): string {
  const named = process.env.CHROMIUM;
  if (named !== undefined) {
    if (existsSync(named)) return named;
    throw new CannotRun(`CHROMIUM names ${named}, which is not there.`, 'Correct the variable or unset it.');
  }
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return found;

  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    console.log(`Installing Chromium: ${aptInstall}`);
    const { status, stderr } = spawnSync('bash', ['-c', aptInstall], {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = places.find((place) => existsSync(place));
    if (status === 0 && installed !== undefined) return installed;
    throw new CannotRun(
      `Chromium could not be installed: ${stderr.trim().split('\n').at(-1) ?? ''}`,
      aptInstall,
    );
  }
  throw new CannotRun(
    'No Chromium or Chrome was found.',
    `sudo sh -c "${aptInstall}", or set CHROMIUM to the path of one.`,
  );
}

/** A headless browser that can reach only this machine. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    // They take room, as people see them.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}
