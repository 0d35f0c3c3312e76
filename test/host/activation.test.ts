import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

const id = 'comfy-deck.comfy-deck';

/** The notes of the watch in test/support/standIns. */
interface Activation {
  readonly activated: boolean;
  readonly loadMs: number;
  readonly activateMs: number;
  readonly asked: readonly string[];
}

function noted(): Activation | undefined {
  return (globalThis as Record<symbol, unknown>)[Symbol.for('comfyDeck.activation')] as
    Activation | undefined;
}

/** The one number of `npm run bench` that only a real extension host can measure. */
function keepForBench(extensionPath: string, { loadMs, activateMs }: Activation): void {
  const folder = path.join(extensionPath, 'out');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'activation.json'), JSON.stringify({ loadMs, activateMs }));
}

describe('activation', () => {
  it('opens no socket and reads no file', async function () {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension, `${id} is not installed`);
    // A desktop VS Code preloads nothing; there the watch starts here, unless the extension was activated before.
    if (!noted() && !extension.isActive) {
      createRequire(path.join(extension.extensionPath, 'package.json'))(
        './test/support/standIns/watchActivation.cjs',
      );
    }
    await extension.activate();
    const cost = noted();
    if (!cost) this.skip();
    assert.equal(cost.activated, true);
    assert.deepEqual(cost.asked, []);
    // Reported, not judged: `npm run bench` compares the numbers with their bars.
    const told = `loading ${cost.loadMs.toFixed(1)} ms, activate ${cost.activateMs.toFixed(1)} ms`;
    keepForBench(extension.extensionPath, cost);
    if (this.test) this.test.title += ` (${told})`;
  });

  it('loads no schema library, no socket library and no server', () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension);
    const meta = JSON.parse(
      readFileSync(path.join(extension.extensionPath, 'dist', 'meta.json'), 'utf8'),
    ) as {
      inputs: Record<string, { imports: readonly { path: string; kind: string }[] } | undefined>;
    };
    const reached = new Set(['src/extension.ts']);
    for (const file of reached) {
      for (const { path: imported, kind } of meta.inputs[file]?.imports ?? []) {
        if (kind === 'import-statement') reached.add(imported);
      }
    }
    const heavy = [...reached].filter((file) =>
      /^node_modules\/(?!@vscode\/l10n\/)|^src\/(sandbox|core\/(runs|catalog|check))\/|^src\/core\/client\/(transport|execution|eventStream)/.test(
        file,
      ),
    );
    assert.deepEqual(heavy, []);
  });

  it('registers every command that the manifest declares', async () => {
    const extension = vscode.extensions.getExtension(id);
    assert.ok(extension);
    const { contributes } = extension.packageJSON as {
      contributes: { commands: readonly { command: string }[] };
    };
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributes.commands
      .map(({ command }) => command)
      .filter((name) => !registered.has(name));
    assert.deepEqual(missing, []);
  });
});
