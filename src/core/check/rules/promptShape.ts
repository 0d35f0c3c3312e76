import { sourceTextIn } from '../../json/textEdit';
import type { PromptProblem } from '../../workflow/prompt';
import type { CheckCode } from '../codes';
import type { RuleFinding } from '../ruleFinding';
import type { FixHint } from '../finding';
import type { PromptRule } from '../rule';
import { t } from '../../safety/localize';

/** Entries that are not nodes, and nodes without the parts that the server relies on (workflows 1.1, 4). */
export const promptShape: PromptRule = ({ view, verdict }, report) => {
  const { prompt } = view;
  const of = (kind: PromptProblem['kind']): ReadonlySet<string | undefined> =>
    new Set(prompt.problems.flatMap((each) => (each.kind === kind ? [each.nodeId] : [])));
  const [typeless, empty] = [of('classTypeMissing'), of('inputsMissing')];
  for (const problem of prompt.problems) {
    const { kind, nodeId } = problem;
    // What has neither is no node, which is one fault.
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
        ...(saysNothing(sourceTextIn(text, place)) &&
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

function saysNothing(value: string): boolean {
  return /^(?:null|""|\[\s*\])$/.test(value);
}
