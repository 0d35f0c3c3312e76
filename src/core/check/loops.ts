import type { LinkView, NodeView, PromptView } from './promptView';

/**
 * The cycles of a prompt: groups of nodes that all depend on each other (strongly connected components, found without
 * recursion). `follow` says which links count. A node that links to itself is a cycle of one.
 */
export function findLinkLoops(view: PromptView, follow: (link: LinkView) => boolean): NodeView[][] {
  const finder = new LoopFinder(view, follow);
  for (const node of view.nodes.values()) finder.visit(node);
  return finder.loops;
}

interface Frame {
  readonly node: NodeView;
  readonly targets: readonly NodeView[];
  next: number;
}

class LoopFinder {
  readonly loops: NodeView[][] = [];
  private readonly order = new Map<NodeView, number>();
  private readonly lowest = new Map<NodeView, number>();
  private readonly open: NodeView[] = [];
  private readonly isOpen = new Set<NodeView>();

  constructor(
    private readonly view: PromptView,
    private readonly follow: (link: LinkView) => boolean,
  ) {}

  visit(start: NodeView): void {
    if (this.order.has(start)) return;
    const path = [this.enter(start)];
    for (let frame = path.at(-1); frame; frame = path.at(-1)) {
      const target = frame.targets[frame.next++];
      if (!target) {
        path.pop();
        this.leave(frame, path.at(-1));
      } else if (!this.order.has(target)) path.push(this.enter(target));
      else if (this.isOpen.has(target)) this.lower(frame.node, this.order.get(target));
    }
  }

  private enter(node: NodeView): Frame {
    const number = this.order.size;
    this.order.set(node, number);
    this.lowest.set(node, number);
    this.open.push(node);
    this.isOpen.add(node);
    return { node, targets: this.targetsOf(node), next: 0 };
  }

  private leave({ node, targets }: Frame, above: Frame | undefined): void {
    if (above) this.lower(above.node, this.lowest.get(node));
    if (this.lowest.get(node) !== this.order.get(node)) return;
    const members = this.open.splice(this.open.lastIndexOf(node));
    for (const member of members) this.isOpen.delete(member);
    if (members.length > 1 || targets.includes(node)) this.loops.push(members);
  }

  private lower(node: NodeView, number = Infinity): void {
    this.lowest.set(node, Math.min(this.lowest.get(node) ?? Infinity, number));
  }

  private targetsOf(node: NodeView): NodeView[] {
    return node.links.flatMap((link) => {
      const target = this.follow(link) ? this.view.nodes.get(link.targetId) : undefined;
      return target ? [target] : [];
    });
  }
}
