import { NodeFailure } from './nodeFailure';
import { nodeTable } from './nodeTable';
import { ExecutionBlocker } from './sandboxNode';
import type { NodeContext, NodeResult, SandboxNode } from './sandboxNode';
import { numberIn, textIn } from './values';
import type { Inputs } from './values';

/** What else a run can meet: failure, patience, expansion and blocked branches. The real server has none of these. */
export const sandboxOnlyNodes: readonly SandboxNode[] = nodeTable(
  { module: 'custom_nodes.sandbox', category: 'sandbox' },
  [
    [
      'SandboxFail(value: *, how: [value|memory|type|credits], message?: STRING) -> *',
      fail,
      { title: 'Fail', about: 'Fails, in a way of your choice.' },
    ],
    [
      'SandboxSlow(value: *, steps: INT=20 1..10000) -> *',
      takeTime,
      { title: 'Slow', about: 'Takes many steps, tells about them, and hands its value on.' },
    ],
    [
      `SandboxExpand(image: IMAGE, count: INT=3 1..16) -> IMAGE`,
      expand,
      {
        title: 'Expand',
        about: 'Becomes several other nodes while it runs: a picture inverted so many times.',
      },
    ],
    [
      'SandboxBlock(value: *, block: BOOLEAN=true, message: STRING="held back") -> *',
      block,
      { title: 'Block', about: 'Keeps everything behind it from running; with an empty message, silently.' },
    ],
  ],
);

function fail(inputs: Inputs): NodeResult {
  switch (inputs['how']) {
    case 'memory':
      throw new NodeFailure('torch.OutOfMemoryError', 'Allocation on device');
    case 'type':
      throw new NodeFailure('TypeError', "unsupported operand type(s) for +: 'Tensor' and 'str'");
    case 'credits':
      throw new NodeFailure(
        'Exception',
        'Payment Required: Please add credits to your account to use this node.',
      );
    default:
      throw new NodeFailure(
        'ValueError',
        inputs['message'] === undefined ? 'This node always fails' : textIn(inputs, 'message'),
      );
  }
}

async function takeTime(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const steps = numberIn(inputs, 'steps');
  for (let step = 1; step <= steps; step += 1) {
    if (step % 5 === 1) context.text(`step ${step} of ${steps}`);
    await context.steps(step, steps);
  }
  return { outputs: [inputs['value']] };
}

/** The first node of the chain gets the picture of a link to nothing of the file, so it is carried as a value. */
function expand(inputs: Inputs, context: NodeContext): NodeResult {
  const ids = Array.from(
    { length: numberIn(inputs, 'count') },
    (_, index) => `${context.expansionPrefix}${index + 1}`,
  );
  const nodes = Object.fromEntries(
    ids.map((id, index) => {
      const image = index === 0 ? { __value__: inputs['image'] } : [ids[index - 1], 0];
      return [id, { class_type: 'ImageInvert', inputs: { image } }];
    }),
  );
  return { outputs: [], expand: { nodes, outputs: [[ids.at(-1), 0]] } };
}

function block(inputs: Inputs): NodeResult {
  if (inputs['block'] !== true) return { outputs: [inputs['value']] };
  const message = textIn(inputs, 'message');
  return { outputs: [new ExecutionBlocker(message === '' ? null : message)] };
}
