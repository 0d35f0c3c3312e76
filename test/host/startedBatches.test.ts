import assert from 'node:assert/strict';
import { readdir, rm, writeFile as write } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { claimBatch } from '../../src/core/batch/startedBatch';
import { countRows } from '../../src/core/batch/batchRow';
import { NodeFolder } from '../../src/core/outputs/nodeFolder';
import { recordName } from '../../src/core/outputs/outputNames';
import { sendingRecord } from '../../src/core/records/recordSteps';
import { writeRunRecord, type RunRecord } from '../../src/core/records/runRecord';
import type { ShownBatch } from '../../src/host/batch/batch';
import { windowBatches, type BatchList } from '../../src/host/batch/batchList';
import { BatchSection } from '../../src/host/batch/batchSection';
import { customEditors } from '../../src/host/platform/contributions';
import { KeptRows } from '../support/keptBatch';
import { noLongerQuiet, quietSandbox } from '../support/quietSandbox';
import { colours, memory, outputFolder } from './batchFiles';
import { answersInTests, eventually, replaceMember, type WindowParts } from './window';

describe('batches that are found in the output folder', () => {
  let parts: WindowParts;
  const answers = answersInTests();
  const windows: BatchList[] = [];

  before(async () => {
    parts = await quietSandbox();
  });
  after(noLongerQuiet);
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const window of windows.splice(0)) {
      await window.close();
      window.dispose();
    }
  });

  /** What a window knows that was just opened. */
  const openWindow = async (remembered = memory()): Promise<BatchList> => {
    const window = windowBatches(parts, remembered);
    windows.push(window);
    await window.ready();
    return window;
  };
  const of = (window: BatchList, id: string): ShownBatch | undefined =>
    window.shown.find((each) => each.id === id);
  const start = (label: string, rows: number): Promise<KeptRows> =>
    KeptRows.start(outputFolder(), label, { 'EmptyImage.color': colours(rows).map(String) });

  it('appear, advance and go as others start, run and remove them', async () => {
    const window = await openWindow();
    await window.loaded();
    const rows = await start('found-other.json', 3);
    await eventually('it is listed', () => of(window, rows.id)?.state === 'stopped');
    const claim = await claimBatch(new NodeFolder(outputFolder()), rows.name);
    await eventually('it runs elsewhere', () => of(window, rows.id)?.isElsewhere);
    rows.save(1, 'png');
    await eventually('a row is saved', () => of(window, rows.id)?.rows[1]?.state === 'saved');
    await claim.release();
    await eventually('nobody runs it', () => of(window, rows.id)?.isElsewhere === false);
    await rm(path.join(outputFolder(), rows.name));
    await eventually('it is gone', () => of(window, rows.id) === undefined);
  });

  it('open as contact sheets, and as text on request', async () => {
    const rows = await start('found-opened.json', 2);
    const file = vscode.Uri.file(path.join(outputFolder(), rows.name));
    const input = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    await vscode.commands.executeCommand('vscode.open', file);
    await eventually('a sheet is shown', () => {
      const shown = input();
      return shown instanceof vscode.TabInputCustom && shown.viewType === customEditors.startedBatch;
    });
    await eventually('it is listed', () => of(parts.batches, rows.id));
    await vscode.commands.executeCommand('vscode.openWith', file, 'default');
    await eventually('the text is shown', () => input() instanceof vscode.TabInputText);
    const other = vscode.Uri.file(path.join(outputFolder(), 'none-20260101-000000.batch-run.json'));
    await write(other.fsPath, '{"format": 1}');
    await vscode.commands.executeCommand('vscode.open', other);
    await eventually('it is said', () =>
      /is not a started batch/.test(answers.texts('showErrorMessage').join()),
    );
    await eventually('the text is shown', () => {
      const shown = input();
      return shown instanceof vscode.TabInputText && shown.uri.path === other.path;
    });
  });

  it('are not read in Restricted Mode', async () => {
    const rows = await start('found-restricted.json', 1);
    const restoreTrust = replaceMember(vscode.workspace, 'isTrusted', false);
    try {
      const window = await openWindow();
      assert.deepEqual(window.shown, []);
      await assert.rejects(window.loaded(), /trusted/);
    } finally {
      restoreTrust();
    }
    const [window] = windows;
    await window?.ready();
    await eventually('it is listed', () => window && of(window, rows.id));
  });

  describe('of a cloned repository', () => {
    let trap: Server;
    let asked = 0;
    let address = '';

    before(async () => {
      trap = createServer((_request, response) => {
        asked++;
        response.writeHead(404).end();
      });
      trap.on('connection', () => asked++);
      await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
      // Its address has a key, which a request would send.
      const configuration = vscode.workspace.getConfiguration('comfyDeck');
      await configuration.update(
        'servers',
        [
          { name: 'Sandbox', url: 'sandbox' },
          { name: 'Trap', url: address },
        ],
        true,
      );
      await parts.servers.keys.set(address, 'the-key-of-the-trap');
    });
    after(async () => {
      await vscode.workspace.getConfiguration('comfyDeck').update('servers', undefined, true);
      trap.close();
    });

    it('ask no server, download nothing and change nothing when they are listed and opened', async () => {
      const rows = await start('found-hostile.json', 4);
      const record = (row: number, more: Partial<RunRecord>): Promise<void> => {
        const sent = sendingRecord({
          server: address,
          label: rows.label,
          sourceUri: rows.label,
          promptText: '{}',
          seeds: {},
          sentAt: Date.now(),
        });
        const file = { name: 'stolen.png', node: '9', area: 'output', original: 'a.png' };
        const whole = { ...sent, batch: { id: rows.id, row }, ...more, expected: [file] };
        const name = recordName(`found-hostile-20260501-00000${row}`);
        return write(path.join(outputFolder(), name), writeRunRecord(whole));
      };
      await record(0, { state: 'sending' });
      await record(1, { state: 'submitted', job: 'job-1' });
      await record(2, { state: 'saving', job: 'job-2' });
      await record(3, { state: 'saved', job: 'job-3' });
      const before = await readdir(outputFolder());
      asked = 0;
      const window = await openWindow();
      await eventually('its rows are read', () => countRows(of(window, rows.id)?.rows ?? []).owed > 0);
      await new BatchSection(window, { find: () => undefined }).roots();
      await vscode.commands.executeCommand(
        'vscode.open',
        vscode.Uri.file(path.join(outputFolder(), rows.name)),
      );
      await eventually('it is listed', () => of(parts.batches, rows.id));
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      assert.equal(asked, 0);
      assert.deepEqual(await readdir(outputFolder()), before);
      assert.deepEqual(answers.texts('showErrorMessage'), []);
    });

    it('run nothing of a workflow elsewhere, even on request', async () => {
      const rows = await KeptRows.start(outputFolder(), '../elsewhere.json', { 'EmptyImage.color': ['1'] });
      const window = await openWindow();
      await eventually('it is listed', () => of(window, rows.id));
      await assert.rejects((await window.loaded()).resume(rows.id), /is not in this workspace/);
    });
  });
});
