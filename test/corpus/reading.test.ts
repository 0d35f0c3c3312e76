import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { isTolerated } from '../../src/core/json/problem';
import { exactValue } from '../../src/core/json/exactValue';
import { parseExact, parsePythonJson } from '../../src/core/json/boundedJson';
import { parseJson } from '../../src/core/json/tree';
import { detectFormat, looksLikeWorkflow } from '../../src/core/workflow/format';
import { readPrompt } from '../../src/core/workflow/prompt';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { workflowsInPicture } from '../../src/core/workflow/pictures/workflowsInPicture';
import {
  corpusFolder,
  corpusNames,
  corpusNote,
  corpusPath,
  corpusText,
  hasPacks,
  packsNote,
  sampledCorpusNames,
} from '../support/corpus';

const dumps = (): string[] =>
  corpusNames('object_info').filter((name) => /(?:object_info|comfyui-).*\.json/.test(name));

function dumpText(name: string): string {
  return name.endsWith('.gz')
    ? gunzipSync(readFileSync(corpusPath('object_info', name))).toString('utf8')
    : corpusText('object_info', name);
}

describe.skipIf(corpusFolder === undefined)(`real files${corpusNote}`, () => {
  it.each(['api', 'ui'])('in the folder %s are read completely and recognized', (folder) => {
    const wrong = sampledCorpusNames('workflows', folder).filter((name) => {
      const text = corpusText('workflows', folder, name);
      const document = parseJson(text);
      if (document.problems.some((problem) => !isTolerated(problem)) || !looksLikeWorkflow(text)) return true;
      return detectFormat(document).kind !== (folder === 'api' ? 'api' : 'graph');
    });
    expect(wrong).toEqual([]);
  });

  it('give the same values with and without the tree', () => {
    for (const name of sampledCorpusNames('workflows', 'api')) {
      const text = corpusText('workflows', 'api', name);
      const { root } = parseJson(text);
      expect(root && exactValue(root), name).toEqual(parseExact(text));
    }
  });

  it('give a prompt with every node', () => {
    for (const name of sampledCorpusNames('workflows', 'api')) {
      const text = corpusText('workflows', 'api', name);
      const ids = readPrompt(parseJson(text)).nodes.map(({ id }) => id);
      expect(ids.sort(), name).toEqual(Object.keys(parsePythonJson(text) as object).sort());
    }
  });

  it('with node definitions are recognized, and every definition is read with all inputs and outputs', () => {
    for (const name of dumps()) {
      const text = dumpText(name);
      expect(detectFormat(parseJson(text)).kind, name).toBe('objectInfo');
      const plain = parsePythonJson(text) as Record<
        string,
        { input?: Record<string, object | null>; output?: unknown[] | string | null }
      >;
      const catalog = Catalog.fromText(text);
      const wrong = Object.entries(plain).filter(([classType, { input, output }]) => {
        const definition = catalog.get(classType);
        const inputs = Object.keys(input?.required ?? {}).length + Object.keys(input?.optional ?? {}).length;
        return (
          definition?.inputs.length !== inputs ||
          definition.outputs.length !== (typeof output === 'string' ? 1 : (output ?? []).length)
        );
      });
      expect(catalog.size, name).toBe(Object.keys(plain).length);
      expect(
        wrong.map(([classType]) => classType),
        name,
      ).toEqual([]);
    }
  }, 180_000);
});

describe.skipIf(!hasPacks)(`pictures that people met${packsNote}`, () => {
  it.each(hasPacks ? corpusNames('packs', 'cases', 'pictures') : [])('%s has a workflow', (name) => {
    const bytes = readFileSync(corpusPath('packs', 'cases', 'pictures', name));
    const { workflow, prompt } = workflowsInPicture(bytes, name);
    const { format } = WorkflowDocument.of(workflow ?? prompt ?? '');
    expect(format.kind).toBe(workflow === undefined ? 'api' : 'graph');
  });
});
