import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { NotUnicode, decodeSentText } from '../../src/core/json/textOfBytes';
import { WorkflowDocument } from '../../src/core/workflow/workflowDocument';
import { workflowsInPicture } from '../../src/core/workflow/pictures/workflowsInPicture';
import { corpusFolder, corpusNames, corpusNote, corpusPath, corpusText } from '../support/corpus';

const hasCases = corpusFolder !== undefined && existsSync(corpusPath('packs', 'cases'));

describe.skipIf(!hasCases)(`files that people met${corpusNote}`, () => {
  const formatOf = (name: string): object => WorkflowDocument.of(corpusText('packs', 'cases', name)).format;
  const bytesOf = (...names: string[]): Uint8Array => readFileSync(corpusPath('packs', 'cases', ...names));

  it('have a workflow that is found', () => {
    for (const name of corpusNames('packs', 'cases', 'pictures')) {
      const { workflow, prompt } = workflowsInPicture(bytesOf('pictures', name), name);
      const { format } = WorkflowDocument.of(workflow ?? prompt ?? '');
      expect(format.kind, name).toBe(workflow === undefined ? 'api' : 'graph');
    }
    expect(formatOf('history-answer.json')).toMatchObject({ kind: 'wrapper', inner: 'api' });
  });

  it('or are said to be something else', () => {
    expect(formatOf('workflow-as-text.json')).toMatchObject({
      message: expect.stringContaining('"input.workflow_json"') as unknown,
    });
    expect(formatOf('other-tool-graph.json')).toMatchObject({
      message: expect.stringContaining('InvokeAI') as unknown,
    });
    expect(() => decodeSentText(bytesOf('latin1-text.json'))).toThrow(new NotUnicode('Latin-1'));
  });
});
