import { exactEquals } from '../json/exactEquals';
import { exactValue } from '../json/exactValue';
import type { JsonRange } from '../json/node';
import { inputNamed } from '../workflow/prompt';
import type { SourceMap } from '../workflow/graph/sourceMap';
import { placesInGraph, type PromptPlaces } from '../workflow/promptPlaces';
import type { RuleFinding, Place } from './ruleFinding';
import type { FileMap } from './findings';
import type { FixHint } from './finding';
import type { NodeView } from './promptView';

/** Leads findings about a compiled prompt to the graph that it was made from. */
export class GraphMap implements FileMap {
  private readonly places: PromptPlaces;

  constructor(
    private readonly source: SourceMap,
    private readonly nodes: ReadonlyMap<string, NodeView>,
    graph: JsonRange,
  ) {
    this.places = placesInGraph(source, graph);
  }

  place({ nodeId, input }: Place): JsonRange | undefined {
    return nodeId === undefined ? this.places.start : this.places.of(nodeId, input);
  }

  /** Only what replaces a single value in the graph or removes a link; the rest would require a new link or node. */
  fix(ruleFinding: RuleFinding): FixHint | undefined {
    const { fix, nodeId, input } = ruleFinding;
    if (fix?.kind === 'addOutput') return fix;
    if (fix?.kind === 'cutLink') return this.cut(fix.links);
    if (!fix || nodeId === undefined) return undefined;
    switch (fix.kind) {
      case 'findPack': {
        const range = this.place({ nodeId, range: fix.range });
        return range && { ...fix, range };
      }
      case 'chooseFile':
      case 'replaceText': {
        const range = input === undefined ? undefined : this.valueOf(nodeId, input, fix.range);
        return range && { ...fix, range };
      }
      case 'chooseLink':
        return ruleFinding.code === 'link-type' ? this.cut([fix]) : undefined;
      default:
        return undefined;
    }
  }

  private cut(links: readonly { readonly nodeId: string; readonly input: string }[]): FixHint {
    const places = links.flatMap(({ nodeId, input }): JsonRange[] => {
      const link = this.source.input(nodeId, input);
      return link ? [{ offset: link.offset, length: link.length }] : [];
    });
    return { kind: 'cutRow', places };
  }

  /** The element of the file that contains exactly this value of the prompt. */
  private valueOf(nodeId: string, input: string, range: JsonRange): JsonRange | undefined {
    const value = this.source.input(nodeId, input);
    const node = this.nodes.get(nodeId);
    const sent = node && inputNamed(node.source, input)?.valueNode;
    if (!value || !sent || sent.offset !== range.offset || sent.length !== range.length) return undefined;
    if (value.kind === 'object' || value.kind === 'array') return undefined;
    return exactEquals(exactValue(value), exactValue(sent)) ? value : undefined;
  }
}
