import type { NodePack, PackNode } from './nodePack';
import { animateDiff } from './animateDiff';
import { controlnetAux } from './controlnetAux';
import { crystools } from './crystools';
import { customScripts } from './customScripts';
import { easyUse } from './easyUse';
import { efficiencyNodes } from './efficiency';
import { impactPack } from './impact';
import { inspirePack } from './inspire';
import { kjNodes } from './kjNodes';
import { loraManager } from './loraManager';
import { mtbNodes } from './mtb';
import { mxToolkit } from './mxToolkit';
import { rgthree } from './rgthree';
import { videoHelperSuite } from './videoHelperSuite';
import { wasNodeSuite } from './was';

export const nodePacks: readonly NodePack[] = [
  animateDiff,
  controlnetAux,
  crystools,
  customScripts,
  easyUse,
  efficiencyNodes,
  impactPack,
  inspirePack,
  kjNodes,
  loraManager,
  mtbNodes,
  mxToolkit,
  rgthree,
  videoHelperSuite,
  wasNodeSuite,
];

const byType: ReadonlyMap<string, PackNode> = new Map(
  nodePacks.flatMap(({ nodes = {} }) => Object.entries(nodes)),
);
const byPrefix = nodePacks.flatMap(({ prefixed = {} }) => Object.entries(prefixed));

export function findPackNode(classType: string): PackNode | undefined {
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
