import type { ExpandedInput } from '../catalog/dynamic';
import type { UploadKind } from '../catalog/inputSpec';
import type { NodeDefinition } from '../catalog/nodeDefinition';
import type { ExactValue } from '../json/exactValue';
import type { JsonRange } from '../json/node';
import type { PromptInput } from '../workflow/prompt';
import { validatorIn } from './knownValidators';
import { findFileInput, type NodeView, type PromptView } from './promptView';
import type { Reach } from './promptView';
import type { NodeReplacements } from '../catalog/nodeReplacements';
import type { AliasSource, SimilarNames } from './similarNames';
import type { NodeValidator, NodeValidators } from './validators';
import type { Verdict } from './verdict';
import { t } from '../safety/localize';
import type { TextEdit } from '../json/textEdit';
import { budgets } from '../safety/budgets';
import type { CheckCode, Severity } from './codes';
import type { FindingTag, FixHint } from './finding';

/** A range in a prompt's own text; `nodeId` and `input` map a compiled prompt back to its graph. */
export interface Place {
  readonly range: JsonRange;
  readonly nodeId?: string | undefined;
  readonly input?: string | undefined;
}

/**
 * A quick fix that makes several edits at once, if there are any.
 * @param isUnsure the user has to decide: Fix All leaves it out
 */
export function textsFix(title: string, edits: readonly TextEdit[], isUnsure = false): FixHint | undefined {
  return edits.length === 0 ? undefined : { kind: 'replaceTexts', title, edits, isUnsure };
}

/** A finding of a rule, before settings, reach and the way back to a graph make it a finding of the file. */
export interface RuleFinding extends Place {
  readonly code: CheckCode;
  readonly message: string;
  /** All nodes it is about, if several; `nodeId` is the marked one. */
  readonly nodeIds?: readonly string[];
  /** The node that a link names, there or not. */
  readonly linksTo?: string;
  /** If it differs from that of the code. */
  readonly severity?: Severity | undefined;
  readonly tags?: readonly FindingTag[];
  readonly related?: readonly (Place & { readonly message: string })[] | undefined;
  readonly fix?: FixHint | undefined;
  /**
   * Where the problem counts in full; default `run`. `checked`: the server finds it in nodes that outputs depend on
   * through declared inputs; if it accepts the prompt anyway, only outputs are lost. `run`: it appears when the node
   * runs. `always`: in every node.
   */
  readonly counts?: 'checked' | 'run' | 'always' | undefined;
  /** Parts of a graph: what is missing or wrong there in its prompt follows from this, and is not reported as well. */
  readonly explains?: readonly JsonRange[] | undefined;
  /** The run resolves the problem: it is not reported, and the server's words about it are not repeated. */
  readonly isSilent?: boolean;
}

/**
 * Collects the findings of one file up to a limit, because a file full of problems would fill the memory. The first of
 * each code is always kept, so that many small problems don't hide one that stops the server.
 */
export class BoundedFindings {
  readonly list: RuleFinding[] = [];
  omitted = 0;
  readonly #codes = new Set<CheckCode>();

  add(ruleFinding: RuleFinding): void {
    if (this.list.length >= budgets.reportedFindings && this.#codes.has(ruleFinding.code)) {
      this.omitted++;
      return;
    }
    this.#codes.add(ruleFinding.code);
    this.list.push(ruleFinding);
  }
}

/** The input of every rule. */
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
