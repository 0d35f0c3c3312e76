import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from 'fast-png';
import { seededRandom } from '../../src/sandbox/drawing/random';
import type { SandboxNode } from '../../src/sandbox/nodes/sandboxNode';

/** The inputs of the only node in a soak's workflow. */
export interface PicturesInputs {
  readonly seed: number;
  readonly outputs: number;
  readonly size: number;
  /** 25 ms each. */
  readonly steps: number;
}

export interface MadeJob {
  readonly seed: number;
  /** SHA-256 (hex) of its outputs. */
  readonly hashes: readonly string[];
}

export function soakWorkflow({ seed, outputs, size, steps }: PicturesInputs): string {
  return JSON.stringify({ '1': { class_type: 'SoakPictures', inputs: { seed, outputs, size, steps } } });
}

/** Makes pictures of noise, so that no two are alike and none compresses well, and never repeats one. */
export function picturesNode(made: MadeJob[]): SandboxNode {
  const number = ['INT', { default: 1, min: 0, max: 1_000_000 }] as const;
  const required = { seed: number, outputs: number, size: number, steps: number };
  return {
    definition: {
      input: { required },
      input_order: { required: Object.keys(required) },
      is_input_list: false,
      output: [],
      output_is_list: [],
      output_name: [],
      name: 'SoakPictures',
      display_name: 'Soak Pictures',
      description: '',
      python_module: 'custom_nodes.soak',
      category: 'test',
      output_node: true,
      has_intermediate_output: false,
    },
    fingerprint: () => String(Math.random()),
    async run(inputs, context) {
      const [seed, outputs, size, steps] = ['seed', 'outputs', 'size', 'steps'].map((name) =>
        Number(inputs[name]),
      );
      for (let step = 1; step <= (steps ?? 1); step++) {
        context.preview(() => ({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(step) }));
        await context.steps(step, steps ?? 1);
        await sleep(25);
      }
      const job = made.length + 1;
      const hashes: string[] = [];
      const images = Array.from({ length: outputs ?? 1 }, (_, at) => {
        const bytes = noise((seed ?? 0) + 100 * job + at, size ?? 8);
        hashes.push(createHash('sha256').update(bytes).digest('hex'));
        const file = {
          filename: `job-${job}_${at + 1}_.png`,
          subfolder: '',
          type: 'output',
        } as const;
        context.files.write(file, bytes);
        return file;
      });
      made.push({ seed: seed ?? 0, hashes });
      return { outputs: [], ui: { images } };
    },
  };
}

function noise(seed: number, size: number): Uint8Array {
  const random = seededRandom(seed);
  const data = Uint8Array.from({ length: size * size * 3 }, () => random() * 256);
  return encode({ width: size, height: size, data, channels: 3, depth: 8 });
}
