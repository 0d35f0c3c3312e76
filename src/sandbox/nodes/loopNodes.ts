import { NodeFailure } from './nodeFailure';
import type { InputSpecJson, NodeBehaviour, NodeContext, NodeResult, SandboxValue } from './sandboxNode';

const anything = (id: string): InputSpecJson => [
  'COMFY_MATCHTYPE_V3',
  { template: { template_id: id, allowed_types: '*' } },
];

const counted = {
  start_iteration_index: ['INT', { default: 0 }],
  max_iteration: ['INT', { default: 4, max: 18446744073709551615n }],
  step: ['INT', { default: 1, min: 1 }],
};
const modes = [
  { key: 'simple', inputs: { required: { num_iterations: ['INT', { default: 4, min: 0 }] } } },
  { key: 'For', inputs: { required: counted } },
  { key: 'List', inputs: { required: { list: anything('list_item') } } },
];
const termination = {
  input: { required: { termination: ['*', {}] } },
  prefix: 'termination',
  min: 0,
  max: 50,
};

/** No server has such a limit. */
const mostIterations = 1000;

/** All of these node types take lists. */
type Lists = Readonly<Record<string, readonly SandboxValue[] | undefined>>;

function startLoop(lists: Lists, context: NodeContext): NodeResult {
  const mode = lists['mode']?.[0];
  if (!modes.some(({ key }) => key === mode)) {
    const message = "StartLoop.execute() missing 1 required positional argument: 'mode'";
    throw new NodeFailure('TypeError', message);
  }
  const number = (name: string, preset: number): number => Number(lists[`mode.${name}`]?.[0] ?? preset);
  const items = mode === 'List' ? (lists['mode.list'] ?? []) : undefined;
  const [first, step] = mode === 'For' ? [number('start_iteration_index', 0), number('step', 1)] : [0, 1];
  const last = mode === 'For' ? number('max_iteration', 4) : number('num_iterations', 4);
  const count = items?.length ?? Math.min(mostIterations, Math.max(0, Math.ceil((last - first) / step)));
  context.text(`Iteration 0 / ${count}`);
  const iterations = Array.from(
    { length: count },
    (_, index) => [first + index * step, items?.[index]] as const,
  );
  return { outputs: [null, false, count === 0, null, null], iterations };
}

function iterate(lists: Lists): NodeResult {
  const names = ['iteration_index', 'is_first', 'is_last', 'list_item'];
  const values = names.map((name) => lists[name]?.[0] ?? null);
  return { outputs: [...values, lists['current_iteration_value'] ?? [null]] };
}

function tellProgress({ start_id, position, total }: Lists, context: NodeContext): NodeResult {
  context.text(`Iteration ${String(position?.[0])} / ${String(total?.[0])}`, String(start_id?.[0]));
  return { outputs: [position?.[0]] };
}

function collect(lists: Lists): NodeResult {
  const outputs = Object.entries(lists).filter(([name]) => name.startsWith('output'));
  const values = outputs.flatMap(([, list = []]) => list);
  return { outputs: [values.length === 0 ? [null] : values] };
}

const behaviour = (
  run: (lists: Lists, context: NodeContext) => NodeResult,
  output = false,
): NodeBehaviour => ({
  run: (inputs, context) => run(inputs as Lists, context),
  takesLists: true,
  output,
});

/** Loops, and what the server executes for their iterations (protocol 1.5). */
export const loopNodes: Readonly<Record<string, NodeBehaviour>> = {
  StartLoop: {
    ...behaviour(startLoop),
    // Never cached.
    fingerprint: () => String(Math.random()),
    specs: {
      mode: ['COMFY_DYNAMICCOMBO_V3', { options: modes }],
      initial_iteration_value: anything('carried_value'),
    },
  },
  EndLoop: {
    ...behaviour(collect),
    specs: {
      output_value: anything('output_value'),
      next_iteration_value: anything('carried_value'),
      terminations: ['COMFY_AUTOGROW_V3', { template: termination }],
    },
  },
  LoopIteration: behaviour(iterate),
  LoopProgress: behaviour(tellProgress, true),
  LoopResult: behaviour(collect, true),
};
