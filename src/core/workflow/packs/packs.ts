import type { NodePack, PackNode } from './nodePack';
import { animateDiff } from './animateDiff';
import { controlnetAux } from './controlnetAux';
import { crystools } from './crystools';
import { customScripts } from './customScripts';
import { easyUse } from './easyUse';
import { efficiency } from './efficiency';
import { impact } from './impact';
import { inspire } from './inspire';
import { kjNodes } from './kjNodes';
import { loraManager } from './loraManager';
import { mtb } from './mtb';
import { mxToolkit } from './mxToolkit';
import { rgthree } from './rgthree';
import { videoHelperSuite } from './videoHelperSuite';
import { was } from './was';

export const packs: readonly NodePack[] = [
  animateDiff,
  controlnetAux,
  crystools,
  customScripts,
  easyUse,
  efficiency,
  impact,
  inspire,
  kjNodes,
  loraManager,
  mtb,
  mxToolkit,
  rgthree,
  videoHelperSuite,
  was,
];

const byType: ReadonlyMap<string, PackNode> = new Map(
  packs.flatMap(({ nodes = {} }) => Object.entries(nodes)),
);
const byPrefix = packs.flatMap(({ prefixed = {} }) => Object.entries(prefixed));

export function packNodeOf(classType: string): PackNode | undefined {
  return byType.get(classType) ?? byPrefix.find(([prefix]) => classType.startsWith(prefix))?.[1];
}

/** Packs whose JavaScript was read: the editor leaves out, too, what else the lists of their nodes contain. */
const readFolders = new Set(
  (
    'comfyui-advanced-controlnet comfyui-animatediff-evolved comfyui-crystools comfyui-custom-scripts ' +
    'comfyui-easy-use comfyui-florence2 comfyui-gguf comfyui-impact-pack comfyui-inspire-pack ' +
    'comfyui-kjnodes comfyui-lora-manager comfyui-ltxvideo comfyui-mxtoolkit comfyui-videohelpersuite ' +
    'comfyui-wanvideowrapper comfyui-comfyroll-customnodes comfyui-essentials comfyui-ipadapter-plus ' +
    'comfyui-layerstyle comfyui-tinyterranodes comfy-mtb comfyui-controlnet-aux cg-use-everywhere ' +
    'efficiency-nodes-comfyui res4lyf rgthree-comfy was-node-suite-comfyui'
  ).split(' '),
);

/** Whether all is known that the ComfyUI editor does to the values of a node type: those of ComfyUI itself, too. */
export function isReadPack(pythonModule: string): boolean {
  if (!pythonModule.startsWith('custom_nodes.')) return true;
  const [, folder = ''] = pythonModule.split('.');
  return readFolders.has(folderName(folder));
}

function folderName(folder: string): string {
  const [name = ''] = folder.toLowerCase().replaceAll('_', '-').split('@');
  return name.replace(/-(?:main|master)$/, '');
}
