import { describe, expect, it } from 'vitest';

import { checkWorkflow } from '../../../../src/core/check/checkWorkflow';
import type { Finding } from '../../../../src/core/check/finding';
import { applyEdits } from '../../../../src/core/json/textEdit';
import { fixAll, fixesForFinding, fixRange } from '../../../../src/core/language/edits/fixes';
import { WorkflowDocument } from '../../../../src/core/workflow/workflowDocument';
import { catalog, chain, graph } from '../sample';

function check(text: string): readonly Finding[] {
  return checkWorkflow(WorkflowDocument.of(text), { catalog }).findings;
}

function loud(text: string): readonly Finding[] {
  return check(text).filter(({ severity }) => severity !== 'hint');
}

/** A text with one mistake, and what the fix of the only finding of that makes of it. */
function mended(text: string): { title: string; after: string }[] {
  const doc = WorkflowDocument.of(text);
  const [finding, ...others] = checkWorkflow(doc).findings.filter(({ code }) => code === 'json-syntax');
  if (!finding || others.length > 0) throw new Error('not one finding');
  return fixesForFinding(doc, finding).map(({ title, edits, preferred }) => {
    expect(preferred).toBe(true);
    return { title, after: applyEdits(text, edits) };
  });
}

describe('a comma', () => {
  it.each([
    ['after the last input', chain, '"tiled": false', '"tiled": false,'],
    ['after the last node', chain, '"prefix": "x" }\n  }', '"prefix": "x" }\n  },'],
    ['in a link', chain, '["3", 0]', '["3", 0, ]'],
    ['doubled', chain, '"seed": 7,', '"seed": 7,,'],
    ['before the first input', chain, '{ "ckpt_name"', '{, "ckpt_name"'],
    ['after everything', chain, '\n}\n', '\n},\n'],
    ['after the last widget value', graph, '"euler", false]', '"euler", false,]'],
    ['after the last link', graph, '"LATENT"]\n  ]', '"LATENT"],\n  ]'],
  ])('too many is removed: %s', (_, text, right, wrong) => {
    expect(text).toContain(right);
    const [fix, ...others] = mended(text.replace(right, wrong));
    expect(others).toEqual([]);
    expect(fix?.title).toBe('Remove Comma');
    expect(fix?.after.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    expect(check(fix?.after ?? '')).toEqual(check(text));
  });

  it.each([
    ['between inputs', chain, '"seed": 7,', '"seed": 7'],
    ['between nodes', chain, '  },\n  "3"', '  }\n  "3"'],
    ['in a link', chain, '["3", 0]', '["3" 0]'],
    ['between widget values', graph, '[7, "randomize"', '[7 "randomize"'],
    ['between links', graph, '"MODEL"],', '"MODEL"]'],
  ])('that is missing is added where it belongs: %s', (_, text, right, wrong) => {
    expect(text).toContain(right);
    expect(mended(text.replace(right, wrong))).toEqual([{ title: 'Add Comma', after: text }]);
  });

  it('is added before a comment', () => {
    const text = chain.replace('"seed": 7,', '"seed": 7 // the seed');
    const doc = WorkflowDocument.of(text);
    const finding = checkWorkflow(doc).findings.find(({ message }) => message.startsWith('Comma'));
    if (!finding) throw new Error('no finding');
    const after = fixesForFinding(doc, finding).map(({ edits }) => applyEdits(text, edits));
    expect(after).toEqual([chain.replace('"seed": 7,', '"seed": 7, // the seed')]);
  });

  it('is added before a comment that ends with spaces', () => {
    const text = chain.replace('"seed": 7,', '"seed": 7 // the seed  ');
    const doc = WorkflowDocument.of(text);
    const after = applyEdits(text, fixAll(doc, checkWorkflow(doc).findings));
    expect(after).toBe(chain.replace('"seed": 7,', '"seed": 7, // the seed  '));
  });

  it.each([
    ['a number in a text', '"x" }', '"about "5" cats", "seed": 3 }'],
    ['a word in a list', '["3", 0]', '["about ""big"" cats", 0]'],
    ['a number in a list', '["3", 0]', '["about "5" cats", 0]'],
    ['a name without a colon', '"x" }', '"x" "y" }'],
  ])('is not added by Fix All where quotes may be wrong: %s', (_, right, wrong) => {
    expect(chain).toContain(right);
    const doc = WorkflowDocument.of(chain.replace(right, wrong));
    const { findings } = checkWorkflow(doc, { catalog });
    expect(findings.some(({ code }) => code === 'json-syntax')).toBe(true);
    expect(fixAll(doc, findings, { catalog })).toEqual([]);
  });

  it('is added by Fix All between a text and a name', () => {
    const text = chain.replace('"euler",\n      ', '"euler"');
    const doc = WorkflowDocument.of(text);
    const after = applyEdits(text, fixAll(doc, checkWorkflow(doc).findings));
    expect(after).toBe(chain.replace('"euler",\n      ', '"euler",'));
  });

  it('is offered from the end of the line that lacks it', () => {
    const text = chain.replace('"seed": 7,', '"seed": 7');
    const doc = WorkflowDocument.of(text);
    const [finding] = checkWorkflow(doc).findings;
    if (!finding) throw new Error('no finding');
    const { offset, length } = fixRange(doc, finding);
    expect(text.slice(offset, offset + length).trim()).toBe('"steps"');
    expect(text.slice(0, offset)).toMatch(/"seed": 7$/);
  });

  it('is mended with all others by Fix All', () => {
    const text = chain.replace('"seed": 7,', '"seed": 7').replace('"tiled": false', '"tiled": false,');
    const doc = WorkflowDocument.of(text);
    expect(applyEdits(text, fixAll(doc, checkWorkflow(doc).findings))).toBe(chain);
  });
});

describe('a missing quote or bracket', () => {
  it.each([
    ['a prompt', chain],
    ['a graph', graph.replace('"positive", "type": "CONDITIONING"', '"x", "type": "*"')],
  ])('is one finding, without what follows from it: %s', (_, text) => {
    const before = loud(text).length;
    const many = Array.from(text.matchAll(/["{}[\],:]/g), ({ index }) => index).filter((at) => {
      const broken = text.slice(0, at) + text.slice(at + 1);
      const found = loud(broken);
      const syntax = found.filter(({ code }) => code === 'json-syntax');
      return syntax.length > 1 || found.length > before + 1;
    });
    const places = many.map((at) => text.slice(at - 10, at + 10));
    // Read as a list of three items with a text that ends too early: which of the two quotes is wrong is a guess.
    expect(places.filter((each) => !each.includes('s": ["3", 0]'))).toEqual([]);
  });

  it('leaves the findings of values before it', () => {
    const text = chain.replace('"steps": 20', '"steps": 500').replace('"x" }', '"x }');
    expect(loud(text).map(({ code }) => code)).toEqual(['above-maximum', 'json-syntax']);
  });

  it.each(['7.5.3', '7.5x', '1000000x'])('leaves a number right before it as it is: %s', (number) => {
    const doc = WorkflowDocument.of(chain.replace('"seed": 7', `"seed": ${number}`));
    const { findings } = checkWorkflow(doc, { catalog });
    expect(findings.map(({ code }) => code)).toEqual(['json-syntax']);
    expect(fixAll(doc, findings, { catalog })).toEqual([]);
  });
});
