import { resizeLatent } from './latentEdits';
import { storedFile } from './inputFiles';
import { nodeTable } from './nodeTable';
import type { NodeContext, NodeResult, SandboxNode } from './sandboxNode';
import { pythonStr } from '../execution/pythonText';
import { hashOf, latentIn, numberIn, textIn, Token, tokenIn } from './nodeValues';
import type { Inputs } from './nodeValues';

/** A few classes of node packs that very many files use for their texts. */
export const packNodes: readonly SandboxNode[] = [
  ...nodeTable({ module: 'custom_nodes.was-node-suite-comfyui', category: 'WAS Suite/Text' }, [
    [
      'Text Multiline(text: STRING="" multiline dynamicPrompts) -> STRING',
      (inputs) => ({ outputs: [inputs['text']] }),
    ],
    [
      `Text String(
        text: STRING="", text_b?: STRING="", text_c?: STRING="", text_d?: STRING=""
      ) -> TEXT: STRING, TEXT_B: STRING, TEXT_C: STRING, TEXT_D: STRING`,
      (inputs) => ({ outputs: ['text', 'text_b', 'text_c', 'text_d'].map((name) => inputs[name]) }),
    ],
    ['Text to Conditioning(clip: CLIP, text: STRING forceInput) -> CONDITIONING', encode],
    // What a later version of the pack asks for is optional here: files of the earlier one run as well.
    ['Load Text File(file_path: STRING="", dictionary_name?: STRING="[filename]") -> STRING, DICT', loadText],
    [
      `Text Concatenate(
        delimiter?: STRING=", ", clean_whitespace?: [true|false]="true", text_a?: STRING forceInput,
        text_b?: STRING forceInput, text_c?: STRING forceInput, text_d?: STRING forceInput
      ) -> STRING`,
      joinTexts,
    ],
    [
      'Text to Console(text: STRING forceInput, label: STRING="Text Output") -> STRING',
      (inputs) => ({ outputs: [inputs['text']] }),
      { output: true },
    ],
  ]),
  ...nodeTable({ module: 'custom_nodes.quality-of-life-suit', category: 'O/latent' }, [
    [
      `LatentUpscaleFactor _O(
        samples: LATENT, upscale_method: $latentResizing, WidthFactor: FLOAT=1.25 0..10 /0.1,
        HeightFactor: FLOAT=1.25 0..10 /0.1, crop: [disabled|center]
      ) -> LATENT`,
      resizeLatentByFactors,
    ],
  ]),
];

function encode(inputs: Inputs): NodeResult {
  const text = textIn(inputs, 'text');
  return { outputs: [new Token('CONDITIONING', hashOf(tokenIn(inputs, 'clip'), text), { text })] };
}

/** The sandbox opens no file but those in its own input area: any other is an empty text, as for the pack itself. */
function loadText(inputs: Inputs, context: NodeContext): NodeResult {
  const bytes = context.files.read(storedFile(textIn(inputs, 'file_path')));
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes);
  return { outputs: [text, new Token('DICT', hashOf(text))] };
}

function joinTexts(inputs: Inputs): NodeResult {
  const texts = ['text_a', 'text_b', 'text_c', 'text_d']
    .map((name) => inputs[name])
    .filter((text) => text !== undefined && text !== '');
  const trimmed =
    inputs['clean_whitespace'] === 'true'
      ? texts.map((text) => pythonStr(text).trim())
      : texts.map(pythonStr);
  return { outputs: [trimmed.join(textIn(inputs, 'delimiter').replaceAll('\\n', '\n'))] };
}

function resizeLatentByFactors(inputs: Inputs): NodeResult {
  const { width, height } = latentIn(inputs, 'samples').size;
  const side = (length: number, factor: string): number =>
    Math.round((length * numberIn(inputs, factor)) / 8) * 8;
  return resizeLatent({ ...inputs, width: side(width, 'WidthFactor'), height: side(height, 'HeightFactor') });
}
