import { t } from '../../core/safety/localize';
import { NodeFailure } from './nodeFailure';
import { ExecutionBlocker, type NodeBehaviour, type NodeContext, type NodeResult } from './sandboxNode';
import { type Inputs, numberIn, textIn } from './nodeValues';

/** Exception type and message of every kind of failure: Python's, and those named by Comfy Cloud (protocol 7.3). */
const failures = (): Readonly<Record<string, readonly [string, string]>> => ({
  value: ['ValueError', t`This node always fails`],
  memory: ['torch.OutOfMemoryError', 'Allocation on device'],
  type: ['TypeError', "unsupported operand type(s) for +: 'Tensor' and 'str'"],
  credits: ['Exception', 'Payment Required: Please add credits to your account to use this node.'],
  ValidationError: ['ValidationError', 'The width must be a multiple of 8'],
  ModelDownloadError: ['ModelDownloadError', 'could not fetch flux1-dev.safetensors'],
  ImageDownloadError: ['ImageDownloadError', 'image not found: portrait.png'],
  OOMError: ['OOMError', 'the machine has 24 GB and the model needs 30 GB'],
  InsufficientFundsError: ['InsufficientFundsError', 'this node costs 12 credits and 3 are left'],
  InactiveSubscriptionError: ['InactiveSubscriptionError', 'the subscription ended yesterday'],
});

/**
 * Other things that a run can meet: failure, delay, expansion and blocked branches. The real server has none of these
 * nodes.
 */
export const sandboxOnlyNodes: Readonly<Record<string, NodeBehaviour>> = {
  SandboxFail: { run: fail },
  SandboxSlow: { run: takeTime },
  SandboxExpand: { run: expand },
  SandboxBlock: { run: block },
};

function fail(inputs: Inputs): NodeResult {
  const [type, words] = failures()[textIn(inputs, 'how')] ?? ['ValueError', t`This node always fails`];
  throw new NodeFailure(type, inputs['message'] === undefined ? words : textIn(inputs, 'message'));
}

async function takeTime(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  const steps = numberIn(inputs, 'steps');
  for (let step = 1; step <= steps; step += 1) {
    if (step % 5 === 1) context.text(t`step ${step} of ${steps}`);
    await context.steps(step, steps);
  }
  return { outputs: [inputs['value']] };
}

/** The first node of the chain gets the picture from a node outside of the expansion, so it is passed as a value. */
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
