import { setTimeout as sleep } from 'node:timers/promises';
import { encode } from 'fast-png';
import type { NodeDefinitionJson, SandboxNode } from '../../src/sandbox/nodes/sandboxNode';

function definition(name: string, more: Partial<NodeDefinitionJson>): NodeDefinitionJson {
  const input = more.input ?? { required: {} };
  return {
    input_order: { required: Object.keys(input.required) },
    is_input_list: false,
    output: [],
    output_is_list: (more.output ?? []).map(() => false),
    output_name: more.output ?? [],
    name,
    display_name: name,
    description: '',
    python_module: 'custom_nodes.test',
    category: 'test',
    output_node: false,
    has_intermediate_output: false,
    ...more,
    input,
  };
}

export function onePixelPng(red = 200): Uint8Array {
  return encode({ width: 1, height: 1, data: Uint8Array.of(red, 10, 20), channels: 3, depth: 8 });
}

/** Returns a number after this many steps, which can be watched and interrupted. */
const stepsNode: SandboxNode = {
  definition: definition('TestSteps', {
    input: {
      required: {
        steps: ['INT', { default: 3, min: 0, max: 100_000 }],
        seed: ['INT', { default: 0, min: 0, max: 18446744073709551615n }],
      },
    },
    output: ['INT'],
  }),
  async run(inputs, context) {
    const steps = Number(inputs['steps']);
    for (let step = 1; step <= steps; step++) {
      context.preview(() => ({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(step) }));
      await context.steps(step, steps);
      await sleep(5);
    }
    return { outputs: [steps] };
  },
};

let pictures = 0;

const saveNode: SandboxNode = {
  definition: definition('TestSave', {
    input: { required: { value: ['INT', { default: 0 }], name: ['STRING', { default: 'test' }] } },
    output_node: true,
  }),
  run(inputs, context) {
    context.text('saving');
    const filename = `${String(inputs['name'])}_${++pictures}_.png`;
    context.files.write({ filename, subfolder: '', type: 'output' }, onePixelPng());
    return { outputs: [], ui: { images: [{ filename, subfolder: '', type: 'output' }] } };
  },
};

const failingNode: SandboxNode = {
  definition: definition('TestFail', { output_node: true }),
  run() {
    throw new Error('it broke');
  },
};

export const testNodes: ReadonlyMap<string, SandboxNode> = new Map([
  ['TestSteps', stepsNode],
  ['TestSave', saveNode],
  ['TestFail', failingNode],
]);

/** A prompt with this many steps that saves one picture; another seed makes it run again. */
export function stepsPrompt(steps = 3, seed = 0): Record<string, object> {
  return {
    '1': { class_type: 'TestSteps', inputs: { steps, seed } },
    '2': { class_type: 'TestSave', inputs: { value: ['1', 0], name: 'test' } },
  };
}
