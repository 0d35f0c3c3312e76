import { EventEmitter } from 'node:events';
import { parseExact } from '../../src/core/json/boundedJson';
import { plainFrom } from '../../src/core/json/exactValue';
import { NodeFailure } from '../../src/sandbox/nodes/pythonText';
import {
  ExecutionBlocker,
  type NodeDefinitionJson,
  type SandboxNode,
} from '../../src/sandbox/nodes/sandboxNode';
import { setTimeout as sleep } from 'node:timers/promises';
import { corpusFolder, corpusText } from './corpus';
import { testNodes } from './sandboxTestNodes';

type Run = Pick<SandboxNode, 'run' | 'validate' | 'validates' | 'fingerprint'>;

/** One node of the pack interrupts its own run: the owner of the sandbox does it. */
export const interrupts = new EventEmitter();

/** What each node type of the recorded pack does, as far as the recordings show it. */
const runs: Readonly<Record<string, Run>> = {
  OddExpand: {
    run({ width, count }, { expansionPrefix: prefix }) {
      const nodes: Record<string, { class_type: string; inputs: Record<string, unknown> }> = {};
      const image = (color: number): object => ({ width, height: width, batch_size: 1, color });
      let last = `${prefix}1`;
      nodes[last] = { class_type: 'EmptyImage', inputs: { ...image(1) } };
      for (let at = 1; at < Number(count); at++) {
        const [next, batch] = [`${prefix}${2 * at}`, `${prefix}${2 * at + 1}`];
        nodes[next] = { class_type: 'EmptyImage', inputs: { ...image(at + 1) } };
        nodes[batch] = { class_type: 'ImageBatch', inputs: { image1: [last, 0], image2: [next, 0] } };
        last = batch;
      }
      const end = `${prefix}${2 * Number(count)}`;
      nodes[end] = { class_type: 'ImageInvert', inputs: { image: [last, 0] } };
      return { outputs: [], expand: { nodes, outputs: [[end, 0]] } };
    },
  },
  OddBlock: {
    run({ image, silent, block }) {
      const reason = silent === true ? null : 'held back by OddBlock';
      return { outputs: [block === true ? new ExecutionBlocker(reason) : image] };
    },
  },
  OddSlow: {
    async run({ image, seconds }, context) {
      const steps = Math.round(Number(seconds) * 10);
      for (let step = 1; step <= steps; step++) {
        await sleep(20);
        await context.steps(step, steps);
        if (step % 5 === 1) context.text(`step ${step - 1} of ${steps}`);
      }
      return { outputs: [image] };
    },
  },
  OddOutputs: {
    run: () => ({
      outputs: [],
      ui: {
        text: ['one', 'two'],
        number: [1.5],
        nothing: [],
        nested: [{ a: { filename: 'x.png' } }],
        files: [{ filename: '../../climb.txt', subfolder: '..', type: 'output' }],
        gifs: [
          {
            filename: 'a.mp4',
            subfolder: 'vid',
            type: 'output',
            format: 'video/h264-mp4',
            frame_rate: 8,
            workflow: 'a.png',
            fullpath: '/srv/ComfyUI/output/vid/a.mp4',
          },
        ],
        bools: [true, false],
      },
    }),
  },
  OddInList: {
    run: ({ images }) => ({ outputs: [images], ui: { text: ['1', "['n']"] } }),
  },
  OddFail: {
    async run({ how }, context) {
      if (how === 'interrupt') {
        interrupts.emit('interrupt');
        for (;;) await context.steps(0, 1).then(() => sleep(5));
      }
      const failures: Readonly<Record<string, readonly [string, string]>> = {
        value: ['ValueError', 'the value is wrong'],
        oom: ['torch.OutOfMemoryError', 'Allocation on device'],
        type: ['TypeError', "unsupported operand type(s) for +: 'int' and 'str'"],
        unicode: ['RuntimeError', 'não é válido 猫'],
        long: ['RuntimeError', 'x'.repeat(20_000)],
      };
      const [type, message] = failures[String(how)] ?? ['Exception', 'unknown'];
      throw new NodeFailure(type, message);
    },
  },
  OddValidate: {
    run() {
      throw new NodeFailure('TypeError', "OddValidate.run() got multiple values for argument 's'");
    },
    validates: ['n', 's'],
    validate({ n, s }) {
      if (s === 'boom') throw new NodeFailure('KeyError', "'boom'");
      return n === 4 ? 'n may not be four' : true;
    },
  },
  SaveAudioMP3: {
    run: () => ({
      outputs: [],
      ui: { audio: [{ filename: 'a_00002.mp3', subfolder: 'audio', type: 'output' }] },
    }),
  },
  OddSpecs: { run: () => ({ outputs: [[], null, null] }) },
};

export function oddNodes(): ReadonlyMap<string, SandboxNode> {
  const nodes = new Map(testNodes);
  if (corpusFolder === undefined) return nodes;
  for (const line of corpusText('transcripts', '0.33.0', 'odd-nodes.ndjson').split('\n')) {
    if (!line.includes('"path": "/object_info/')) continue;
    const { body } = plainFrom(parseExact(line)) as { body?: Record<string, NodeDefinitionJson> };
    for (const [name, definition] of Object.entries(body ?? {})) {
      const run = runs[name];
      if (run) nodes.set(name, { definition, ...run });
    }
  }
  const core = JSON.parse(corpusText('object_info', 'comfyui-0.33.0-core.json')) as Record<
    string,
    NodeDefinitionJson
  >;
  const [definition, run] = [core['SaveAudioMP3'], runs['SaveAudioMP3']];
  if (definition && run) nodes.set('SaveAudioMP3', { definition, ...run });
  return nodes;
}
