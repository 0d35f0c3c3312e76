import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { describe, expect, it } from 'vitest';

import { promptHash } from '../../../src/core/runs/promptHash';
import { readWorkflowPrompt } from '../../../src/core/runs/readWorkflowPrompt';
import { smallPrompt } from '../../support/promptFile';
import { catalog, chain, graph } from '../language/sample';

function hashOf(text: string, withCatalog = true): string | undefined {
  const read = readWorkflowPrompt(WorkflowDocument.of(text), withCatalog ? catalog : undefined);
  if (read.kind === 'refused') throw new Error(read.message);
  return promptHash(read, catalog);
}

describe("the hash of a workflow's prompt", () => {
  it('does not depend on whitespace, order, wrapping or titles', () => {
    const prompt = smallPrompt(7);
    const compact = JSON.stringify(prompt);
    const reversed = Object.fromEntries(Object.entries(prompt).reverse());
    const hash = hashOf(compact);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(JSON.stringify(prompt, null, 4) + '\n')).toBe(hash);
    expect(hashOf(JSON.stringify({ prompt: reversed, client_id: 'x' }))).toBe(hash);
    expect(hashOf(compact.replace('{"class_type"', '{"_meta":{"title":"x"},"class_type"'))).toBe(hash);
    expect(hashOf(compact.replace('"a lighthouse"', '"\\u0061 lighthouse"'))).toBe(hash);
  });

  it('changes with a value, a link, a node type or an ID', () => {
    const text = JSON.stringify(smallPrompt(7));
    const others = [
      text.replace('"seed":7', '"seed":8'),
      text.replace('"seed":7', '"seed":18446744073709551615'),
      text.replace('"seed":7', '"seed":18446744073709551614'),
      text.replace('"a lighthouse"', '"a  lighthouse"'),
      text.replace('["1",1]', '["1",2]'),
      text.replace('"VAEDecode"', '"VAEDecodeTiled"'),
      text.replace('"7":', '"8":'),
    ];
    expect(new Set([text, ...others].map((each) => hashOf(each))).size).toBe(others.length + 1);
  });

  it('depends on what a graph compiles to, not on its layout', () => {
    const hash = hashOf(graph);
    expect(hashOf(graph.replace('"pos": [0, 0]', '"pos": [90, 7]'))).toBe(hash);
    expect(hashOf(graph.replace('[7, "randomize"', '[7, "fixed"'))).toBe(hash);
    expect(hashOf(graph.replace('[7, "randomize"', '[8, "randomize"'))).not.toBe(hash);
    expect(hashOf(chain)).not.toBe(hash);
  });

  it('does not depend on random words or the time', () => {
    const text = graph.replace('["x"]', '["{a|b|c|d|e|f|g|h}-%date:yyyyMMddhhmmss%"]');
    expect(new Set(Array.from({ length: 8 }, () => hashOf(text))).size).toBe(1);
  });
});
