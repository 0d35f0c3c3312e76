import { sourceTextIn } from '../../json/textEdit';
import type { PromptProblem } from '../../workflow/prompt';
import type { CheckCode } from '../codes';
import type { RuleFinding } from '../rule';
import type { FixHint } from '../finding';
import { type PromptRule, classPlace, checkedNodeName, type NodeRule, namePlace } from '../rule';
import { t } from '../../safety/localize';
import { mapDefined } from '../../safety/lists';
import type { GroupFault } from '../../catalog/dynamic';

export const groupSize: NodeRule = (node, _context, report) => {
  for (const fault of node.groupFaults) {
    const { kind, input } = fault;
    const place = kind === 'rows' ? { ...classPlace(node), input } : namePlace(node, input);
    report({ code: 'group-size', ...place, message: messageOf(fault), counts: 'checked' });
  }
};

function messageOf({ kind, group, input, rows, min, max }: GroupFault): string {
  switch (kind) {
    case 'rows':
      return t`${group} takes ${min} to ${max} rows, but has ${rows}. Add or remove inputs named ${group}.ROW.FIELD.`;
    case 'row':
      return t`${input} is one row too many. The rows of ${group} go from 0 to ${max - 1}. Remove it.`;
    case 'key':
      return t`${input} is not an input of the group ${group}; its inputs are named ${group}.ROW.FIELD. Rename or remove it.`;
  }
}

/** Outputs that the server silently drops when it accepts the others (workflows 4.1). */
export const droppedOutputs: PromptRule = ({ view, verdict, server }, report) => {
  if (!verdict?.valid || verdict.nodeErrors.size === 0) return;
  const good = new Set(verdict.goodOutputs);
  const faulty = mapDefined([...verdict.nodeErrors.keys()], (id) => view.nodes.get(id));
  for (const node of view.nodes.values()) {
    if (!node.definition?.isOutputNode || good.has(node.id)) continue;
    const related = faulty
      .slice(0, 10)
      .map((each) => ({ ...classPlace(each), message: t`A problem in ${checkedNodeName(each)}.` }));
    report({
      code: 'output-dropped',
      ...classPlace(node),
      message: t`${server} would skip this output because of problems in nodes it depends on. Fix those first.`,
      related,
      counts: 'always',
    });
  }
};

export const noOutputs: PromptRule = ({ view, verdict, server }, report) => {
  const { root } = view.prompt;
  if (!root || verdict?.error?.type !== 'prompt_no_outputs') return;
  report({
    code: 'no-output-node',
    range: { offset: root.offset, length: 1 },
    message: t`The workflow has no output node, so ${server} has nothing to run. Add one, such as Save Image.`,
    counts: 'always',
    fix: { kind: 'addOutput' },
  });
};

/** Nodes that no output depends on: the server neither validates nor runs them. */
export const unusedNodes: NodeRule = (node, { reach, view, verdict }, report) => {
  if (!view.catalog || reach.isRun(node) || verdict?.error?.type === 'prompt_no_outputs') return;
  report({
    code: 'unused-node',
    nodeId: node.id,
    range: node.source.idNode,
    message: t`No output depends on this node, so it won't run. Connect it or remove it.`,
    tags: ['unnecessary'],
    counts: 'always',
    fix: { kind: 'removeNode', nodeId: node.id },
  });
};

/** Entries that are not nodes, and nodes without the parts that the server relies on (workflows 1.1, 4). */
export const promptShape: PromptRule = ({ view, verdict }, report) => {
  const { prompt } = view;
  const of = (kind: PromptProblem['kind']): ReadonlySet<string | undefined> =>
    new Set(prompt.problems.flatMap((each) => (each.kind === kind ? [each.nodeId] : [])));
  const [typeless, empty] = [of('classTypeMissing'), of('inputsMissing')];
  for (const problem of prompt.problems) {
    const { kind, nodeId } = problem;
    // An entry that has neither isn't a node, which is one fault.
    if (kind === 'notAnObject' || (kind === 'inputsMissing' && typeless.has(nodeId))) continue;
    const isNone = kind === 'classTypeMissing' && nodeId !== undefined && empty.has(nodeId);
    const fix: FixHint | undefined = isNone ? { kind: 'removeNode', nodeId } : undefined;
    report({ fix, ...draftOf(problem, prompt.document.text), range: problem.place, nodeId });
  }
  for (const { id, node, title, classType } of prompt.nodes) {
    const meta = node.kind === 'object' ? node.get('_meta') : undefined;
    if (!meta || meta.kind === 'object') continue;
    // The server reads _meta only to name a node of an unknown type.
    const isRead = classType === undefined || verdict?.crash?.place?.nodeId === id;
    const message = t`_meta of ${title ?? t`node ${id}`} must be an object, such as {"title": "…"}. The server fails when it reads the title.`;
    report({
      code: 'meta-not-an-object',
      severity: isRead ? 'error' : 'warning',
      message,
      nodeId: id,
      range: meta,
      counts: 'always',
      fix: { kind: 'replaceText', range: meta, texts: [JSON.stringify({ title: classType ?? id })] },
    });
  }
};

function draftOf(
  { kind, nodeId = '', place }: PromptProblem,
  text: string,
): Omit<RuleFinding, 'range' | 'nodeId'> {
  const fix = (fix: FixHint): { fix: FixHint } => ({ fix });
  const always = { counts: 'always' } as const;
  switch (kind) {
    case 'duplicateNode':
      return {
        ...shape(
          'duplicate-node',
          t`Node ID ${nodeId} is used more than once; only the last node counts. Give one of them a different ID.`,
        ),
        ...fix({ kind: 'removeDuplicate', range: place }),
      };
    case 'duplicateInput':
      return {
        ...shape(
          'duplicate-input',
          t`This input is listed more than once; only the last value counts. Remove the others.`,
        ),
        ...fix({ kind: 'removeDuplicate', range: place }),
      };
    case 'classTypeMissing':
      return nodeId === '_meta'
        ? {
            ...shape(
              'not-a-node',
              t`This entry isn't a node, so the server rejects the whole file. Remove it.`,
            ),
            ...fix({ kind: 'removeNode', nodeId }),
          }
        : shape(
            'class-type-missing',
            t`Node ${nodeId} has no class_type, so the server rejects the whole file. Add one, or remove the node.`,
          );
    case 'classTypeNotText':
      return shape('class-type-not-text', t`class_type must be a string; the server rejects the whole file.`);
    case 'inputsMissing':
      return {
        ...shape(
          'inputs-missing',
          t`Node ${nodeId} has no inputs, which causes a server error. If it needs none, add "inputs": {}.`,
        ),
        counts: 'checked',
        ...fix({ kind: 'addInputs', nodeId }),
      };
    case 'inputsNotAnObject':
      return {
        ...shape(
          'inputs-not-an-object',
          t`The inputs of node ${nodeId} must be an object. Anything else causes a server error.`,
        ),
        ...(/^(?:null|""|\[\s*\])$/.test(sourceTextIn(text, place)) &&
          fix({ kind: 'replaceText', range: place, texts: ['{}'] })),
      };
    case 'nodeNotAnObject':
    case 'notAnObject':
      return {
        ...shape(
          'not-a-node',
          t`Entry ${nodeId} is not a node, so the server can't read the file. Remove it, or add a class_type and inputs.`,
        ),
        ...fix({ kind: 'removeNode', nodeId }),
      };
  }
  function shape(code: CheckCode, message: string): Omit<RuleFinding, 'range'> {
    return { code, message, ...always };
  }
}
