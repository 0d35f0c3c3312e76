import { describe, expect, it } from 'vitest';

import { hoverAtOffset } from '../../../../src/core/language/hover/hover';
import { catalog, chain, cursorIn, graph, marked, type Marked } from '../sample';

function told({ doc, offset }: Marked): string {
  return hoverAtOffset(doc, offset, catalog)?.markdown ?? '';
}

describe('hover', () => {
  it('on a node type describes it, without anything clickable', () => {
    const text = told(cursorIn(chain, '"Checkpoint"', 3));
    expect(text).toContain('**Load Checkpoint** — `Checkpoint`');
    expect(text).toContain('loaders · part of ComfyUI');
    expect(text).toContain('- 1: `CLIP` CLIP');
    expect(text).toContain('\\<b\\>model\\</b\\> \\[here\\]\\(command\\:x\\)');
  });

  it('on a node ID shows its title and where it is used', () => {
    const text = told(cursorIn(chain, '"1"', 1));
    expect(text).toContain('Node `1`: **My model**');
    expect(text).toContain('Used by: 2 Encode Text, 3 Sampler');
  });

  it('on an input shows type, default and limits', () => {
    const text = told(cursorIn(chain, '"steps"', 2));
    expect(text).toContain('**steps**: `INT`');
    expect(text).toContain('How often.');
    expect(text).toContain('Default: `20`  \nMinimum: `1`  \nMaximum: `100`');
  });

  it('on a link shows source, output and type', () => {
    const text = told(cursorIn(chain, '["1", 1]', 2));
    expect(text).toContain('From node `1`: **My model** (`Checkpoint`)');
    expect(text).toContain('Output 1: **CLIP** `CLIP`');
    expect(text).toContain('Into **clip**: `CLIP`');
  });

  it('says so when nothing is known', () => {
    expect(told(marked('{"1": {"class_type": "No¦ne", "inputs": {}}}'))).toBe(
      '`None` is not available on this server.',
    );
    expect(told(marked('{"1": {"class_type": "Save", "inputs": {"a": ["9¦", 0]}}}'))).toBe(
      'The workflow has no node `9`.',
    );
    expect(told(marked('{"1": {"class_type": "Save", "inputs": {"od¦d": 1}}}'))).toContain(
      'is not an input of Save',
    );
  });

  it('in graph files shows widgets, links and subgraphs', () => {
    expect(told(cursorIn(graph, '20, "euler"', 1))).toContain('**steps**: `INT`');
    expect(told(cursorIn(graph, '[2, 2, 0, 3', 1))).toContain('From Sampling · LATENT  \nto Save · images');
    expect(told(cursorIn(graph, '"sub-1"', 2))).toContain('Subgraph of 1 node');
    expect(told(cursorIn(graph, '"link": 4', 8))).toContain('From Subgraph input · model');
  });
});
