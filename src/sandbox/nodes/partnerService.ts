import { drawScene } from '../drawing/scene';
import { NodeFailure } from './nodeFailure';
import type { NodeContext, NodeResult } from './sandboxNode';
import { hashOf, Images, type Inputs } from './nodeValues';

const steps = 4;
const creditsPerPicture = 6;

/** Draws in place of a partner service if there is a key; without one, fails in the real server's words. */
export async function askPartner(inputs: Inputs, context: NodeContext): Promise<NodeResult> {
  if (context.partnerKey === undefined || context.partnerKey === '') {
    throw new NodeFailure('Exception', 'Unauthorized: Please login first to use this node.');
  }
  const count = Math.max(1, Number(inputs['n'] ?? 1));
  for (let step = 1; step <= steps; step += 1) {
    const status = step < steps ? 'in progress' : 'completed';
    const price = (count * creditsPerPicture).toLocaleString('en');
    const left = step < steps ? ` (~${steps - step}s remaining)` : '';
    context.text(`Status: ${status}\nPrice: ${price} credits\nTime elapsed: ${step}s${left}`);
    await context.steps(step, steps);
  }
  const prompt = typeof inputs['prompt'] === 'string' ? inputs['prompt'] : '';
  const { width, height } = sizeOf(inputs);
  const look = hashOf(...Object.values(inputs));
  const pictures = Array.from({ length: count }, (_, index) =>
    drawScene({ width, height, prompt, seed: look + index, look: index, steps: 40, cfg: 9 }),
  );
  return { outputs: [Images.of(pictures)] };
}

/** From `1024x768`, `1024:768`, or a ratio such as `16:9` at about a megapixel. */
function sizeOf(inputs: Inputs): { readonly width: number; readonly height: number } {
  for (const name of ['size', 'resolution', 'ratio', 'aspect_ratio']) {
    const [, first, second] = /^(\d+)[x:](\d+)$/.exec(String(inputs[name])) ?? [];
    if (first === undefined || second === undefined) continue;
    const [across, down] = [Number(first), Number(second)];
    if (across >= 64) return { width: across, height: down };
    const unit = Math.sqrt((1024 * 1024) / (across * down));
    return { width: Math.round((unit * across) / 8) * 8, height: Math.round((unit * down) / 8) * 8 };
  }
  return { width: 1024, height: 1024 };
}
