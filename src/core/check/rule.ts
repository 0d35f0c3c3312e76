import type { ExpandedInput } from '../catalog/dynamic';
import type { UploadKind } from '../catalog/inputSpec';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { ExactValue } from '../json/exactValue';
import type { JsonRange } from '../json/node';
import type { PromptInput } from '../workflow/prompt';
import { validatorIn } from './knownValidators';
import type { RuleFinding, Place } from './ruleFinding';
import { findFileInput, type NodeView, type PromptView } from './promptView';
import type { Reach } from './reach';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import type { AliasSource, SimilarNames } from './similarNames';
import type { NodeValidator, NodeValidators } from './validators';
import type { Verdict } from './verdict';
import { t } from '../safety/localize';

/** What every rule gets. */
export interface RuleContext {
  readonly view: PromptView;
  readonly reach: Reach;
  readonly verdict: Verdict | undefined;
  readonly validators: NodeValidators;
  readonly replacements: NodeReplacements;
  readonly aliases?: AliasSource | undefined;
  /** Whether the server does without `_meta` in nodes that it replaces; undefined if unknown. */
  readonly isLenient?: boolean | undefined;
  /** "the server", or its name. */
  readonly server: string;
  /** Whether a file is where a run would find and upload it; undefined if nobody has checked. */
  readonly isLocal: IsLocal | undefined;
  /** Proposals for a name, while the check has time for them. */
  readonly similar: SimilarNames;
}

export type IsLocal = (fileName: string, kind: UploadKind) => boolean;

export type Report = (ruleFinding: RuleFinding) => void;

/** Examines the entire prompt. */
export type PromptRule = (context: RuleContext, report: Report) => void;
/** Examines one node, whatever its state. */
export type NodeRule = (node: NodeView, context: RuleContext, report: Report) => void;
/** Examines the value of one declared input. */
export type InputRule = (subject: InputSubject, context: RuleContext, report: Report) => void;

/** A declared input that has a value. */
export interface InputSubject {
  readonly node: NodeView;
  readonly definition: NodeDefinition;
  readonly declared: ExpandedInput;
  readonly value: ExactValue;
  /** Undefined if a replacement added the input. */
  readonly source: PromptInput | undefined;
  readonly validator: NodeValidator | undefined;
}

/** The value of a declared input; undefined if the node does not have it. */
export function inputSubject(
  node: NodeView,
  declared: ExpandedInput,
  { validators }: RuleContext,
): InputSubject | undefined {
  const value = node.values?.get(declared.name);
  if (value === undefined || !node.definition) return undefined;
  const { definition } = node;
  const source = findFileInput(node, declared.name);
  return {
    node,
    definition,
    declared,
    value,
    source,
    validator: validatorIn(validators, definition.classType),
  };
}

/** The node type of a node, or its ID without one: what a finding about the node underlines. */
export function classPlace({ id, source }: NodeView): Place {
  return { nodeId: id, range: source.classTypeNode ?? source.idNode };
}

export function idPlace({ id, source }: NodeView): Place {
  return { nodeId: id, range: source.idNode };
}

/** An input's value, or part of it. */
export function valuePlace(node: NodeView, name: string, part?: JsonRange): Place {
  const input = findFileInput(node, name);
  return input
    ? { nodeId: node.id, input: name, range: part ?? input.valueNode }
    : { ...classPlace(node), input: name };
}

export function namePlace(node: NodeView, name: string): Place {
  const input = findFileInput(node, name);
  return input
    ? { nodeId: node.id, input: name, range: input.nameNode }
    : { ...classPlace(node), input: name };
}

/** How messages name another node: by title or node type, with its ID. */
export function checkedNodeName({ id, source, classType }: NodeView): string {
  const name = source.title ?? classType;
  return name === undefined ? t`node ${id}` : t`${name} (node ${id})`;
}
