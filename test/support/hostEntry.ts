import Mocha from 'mocha';
import { appendFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { HostEvent } from './hostEvent';
import { retriesInVsCode } from './partResult';

/**
 * VS Code calls this inside the extension host. Results go to a file, line by line: the exit code of a VS Code is 0
 * even if its extension host was killed halfway, and its console does not reach the terminal.
 */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const file = process.env.COMFY_DECK_HOST_EVENTS;
  if (file === undefined) throw new Error('COMFY_DECK_HOST_EVENTS names no file for the results.');
  const tell = (event: HostEvent) => appendFileSync(file, `${JSON.stringify(event)}\n`);

  const grep = process.env.COMFY_DECK_GREP;
  const mocha = new Mocha({
    timeout: 120_000,
    color: false,
    retries: retriesInVsCode,
    ...(grep === undefined ? {} : { grep }),
  });
  const suites = path.join(__dirname, '../host');
  const share = new RegExp(process.env.COMFY_DECK_SUITES ?? '');
  for (const suite of readdirSync(suites).sort()) {
    if (suite.endsWith('.test.js') && share.test(suite)) mocha.addFile(path.join(suites, suite));
  }
  tell({ kind: 'start', vsCode: vscode.version, node: process.version, app: vscode.env.appName });
  await new Promise<void>((resolve) => {
    mocha
      .run((failures) => {
        tell({ kind: 'end', failures });
        resolve();
      })
      .on('pass', (test) => tell({ kind: 'pass', title: test.fullTitle(), ms: test.duration ?? 0 }))
      .on('pending', (test) => tell({ kind: 'skip', title: test.fullTitle() }))
      .on('retry', (test: Mocha.Test, error: Error) => tell(failure('retry', test, error)))
      .on('fail', (test, error: Error) => tell(failure('fail', test, error)));
  });
}

function failure(kind: 'fail' | 'retry', test: Mocha.Test, error: Error): HostEvent {
  return { kind, title: test.fullTitle(), error: error.stack ?? error.message };
}
