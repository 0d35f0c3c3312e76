import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { Catalog } from '../../../../src/core/catalog/catalog';
import { workflowMeaning } from '../../../../src/core/diff/meaning';
import { workflowDifferences } from '../../../../src/core/diff/workflowDifferences';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { ChangedPlaces } from '../../../../src/host/compare/changedPlaces';
import type { SideMeaning } from '../../../../src/host/compare/comparison';
import { smallPrompt } from '../../../support/promptFile';

const shown: (readonly [unknown, unknown])[] = [];

function side(name: string, seed: number | undefined): SideMeaning {
  const document = seed === undefined ? undefined : WorkflowDocument.of(JSON.stringify(smallPrompt(seed)));
  const compared = document
    ? workflowMeaning(document, Catalog.fromDefinitions({}), true)
    : new Map<string, never>();
  const uri = document && (name as never);
  return { side: { label: name, document, uri: () => uri }, compared, own: () => compared };
}

async function show(before: SideMeaning, after: SideMeaning, columns: number[]): Promise<void> {
  const differences = workflowDifferences(before.compared, after.compared);
  const places = new ChangedPlaces(
    { before, after, differences },
    undefined as never,
    () => columns.shift() ?? 1,
  );
  const [change] = differences.changes;
  if (!change) return;
  await places.show(change, true);
  await places.show(change, true);
}

beforeEach(() => {
  shown.splice(0);
  // On a slow machine, an editor that has just opened doesn't know its group yet.
  const show = ((document: unknown, { viewColumn }: vscode.TextDocumentShowOptions) => {
    shown.push([document, viewColumn]);
    return Promise.resolve({ viewColumn: undefined, revealRange: () => undefined });
  }) as unknown as typeof vscode.window.showTextDocument;
  vi.spyOn(vscode.window, 'showTextDocument').mockImplementation(show);
});
afterEach(() => vi.restoreAllMocks());

it('two texts are side by side, though their editors do not know where they are', async () => {
  await show(side('one', 1), side('two', 2), []);
  expect(shown).toEqual([
    ['one', 1],
    ['two', 2],
    ['one', 1],
    ['two', 2],
  ]);
});

it('two texts stay beside the graph that has moved to another group', async () => {
  await show(side('one', 1), side('two', 2), [1, 2]);
  expect(shown).toEqual([
    ['one', 1],
    ['two', 2],
    ['one', 2],
    ['two', 3],
  ]);
});

it('the only text is in the first group', async () => {
  await show(side('gone', undefined), side('two', 2), []);
  expect(shown).toEqual([
    ['two', 1],
    ['two', 1],
  ]);
});
