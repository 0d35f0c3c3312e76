import { Catalog } from '../../core/catalog/catalog';
import { readReplacements } from '../../core/catalog/nodeReplacements';
import { knownValidators } from '../../core/check/knownValidators';
import type { NodeValidator } from '../../core/check/validators';
import { predictVerdict, type Verdict, verdictBody } from '../../core/check/verdict';
import { type ExactObject, type ExactValue, isExactObject, plainFrom } from '../../core/json/exactValue';
import { parseJson } from '../../core/json/tree';
import { readPrompt } from '../../core/workflow/prompt';
import type { NodeDefinitionJson, SandboxNode } from '../nodes/sandboxNode';
import { nodeReplacements } from './replacementTable';
import type { SandboxServer } from '../sandboxServer';

/** The server's answer to a prompt, as JSON texts, so that every number stays as sent. */
export type PromptVerdict =
  | {
      readonly kind: 'accepted';
      /** The prompt that the server runs: literals converted to the types of their inputs. */
      readonly prompt: ExactObject;
      readonly targets: readonly string[];
      readonly nodeErrors: string;
    }
  | { readonly kind: 'refused'; readonly body: string };

/** @throws TypeError where the real server's own code fails on the prompt. */
export function judgePrompt(
  server: SandboxServer,
  promptText: string,
  prompt: ExactObject,
  partialTargets: readonly string[] | undefined,
): PromptVerdict {
  const verdict = predictVerdict(readPrompt(parseJson(promptText)), catalogOf(server.definitions()), {
    validators: validatorsOf(server),
    // The old server does not support replacements.
    ...(server.dialect === 'local-old' ? { generation: '0.3' } : { replacements }),
    partialTargets,
  });
  if (verdict.crash) throw new TypeError(verdict.crash.message);
  const body = verdictBody(verdict);
  if (!verdict.valid) return { kind: 'refused', body };
  return {
    kind: 'accepted',
    prompt: convertedPrompt(prompt, verdict),
    targets: verdict.goodOutputs,
    nodeErrors: nodeErrorsText(body),
  };
}

const replacements = readReplacements(nodeReplacements);

const catalogs = new WeakMap<object, Catalog>();

function catalogOf(definitions: Readonly<Record<string, NodeDefinitionJson>>): Catalog {
  const known = catalogs.get(definitions);
  if (known) return known;
  const catalog = Catalog.fromDefinitions(definitions);
  catalogs.set(definitions, catalog);
  return catalog;
}

/** The nodes' own checks, in the form of the product's checks. */
function validatorsOf(server: SandboxServer): ReadonlyMap<string, NodeValidator> {
  const validators = new Map<string, NodeValidator>();
  for (const [classType, node] of server.nodes) {
    if (node.validate || node.validates) validators.set(classType, validatorOf(classType, node, server));
  }
  return validators;
}

function validatorOf(classType: string, node: SandboxNode, server: SandboxServer): NodeValidator {
  const inputs = new Set(node.validates ?? []);
  const opensFiles = knownValidators.get(classType)?.opensFiles;
  const more = opensFiles ? { opensFiles } : { optional: inputs };
  const base = { inputs, takesAll: false, takesTypes: false, ...more };
  if (!node.validate) return base;
  const check = (values: ReadonlyMap<string, ExactValue>): boolean | string => {
    const plain = [...values].map(([name, value]) => [name, plainFrom(value)] as const);
    return node.validate?.(Object.fromEntries(plain), server.files) ?? true;
  };
  return { ...base, check };
}

/** The submitted prompt with the checked inputs; everything else stays as it was. */
function convertedPrompt(prompt: ExactObject, verdict: Verdict): ExactObject {
  const nodes = [...prompt].map(([id, node]): [string, ExactValue] => {
    const served = verdict.prompt.get(id);
    if (!served?.inputs || !isExactObject(node)) return [id, node];
    const members = new Map(node);
    members.set('inputs', served.inputs);
    if (served.classType !== undefined) members.set('class_type', served.classType);
    return [id, members];
  });
  return new Map(nodes);
}

/** `{"error": null, "node_errors": …}` without the rest. */
function nodeErrorsText(body: string): string {
  const mark = '"node_errors": ';
  return body.slice(body.indexOf(mark) + mark.length, -1);
}
