import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { readGraph } from '../../src/core/workflow/graph/graph';
import { corpusNames, corpusText, hasPacks, packCatalog, packsNote } from '../support/corpus';

/** How often values of each node type are not sent without an explanation. */
function unexplainedIn(folders: readonly (readonly string[])[]): Map<string, number> {
  const catalog = Catalog.fromText(packCatalog());
  const found = new Map<string, number>();
  for (const folder of folders) {
    for (const file of corpusNames(...folder)) {
      const document = parseJson(corpusText(...folder, file));
      const made = document.root && compileGraph(readGraph(document, document.root), catalog);
      if (made?.kind !== 'compiled') continue;
      for (const { code, nodeId = '' } of made.warnings) {
        if (code !== 'value-not-sent') continue;
        const type = made.prompt.node(nodeId)?.classType ?? 'subgraph';
        found.set(type, (found.get(type) ?? 0) + 1);
      }
    }
  }
  return found;
}

describe.skipIf(!hasPacks)(`values that are not sent${packsNote}`, () => {
  it('are all explained in real files', () => {
    const found = unexplainedIn([
      ['workflows', 'ui'],
      ['packs', 'ui'],
    ]);
    expect(Object.fromEntries([...found].sort())).toEqual({});
  });
});
