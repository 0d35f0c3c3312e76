import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/core/catalog/catalog';
import { checkWorkflow } from '../../../src/core/check/checkWorkflow';
import { predictVerdict, type Verdict, verdictBody } from '../../../src/core/check/verdict';
import { WorkflowDocument } from '../../../src/core/workflow/workflowDocument';
import { promptFromData } from '../../support/promptFromData';

const any = { python_module: 'comfy_extras.nodes_loop', output: ['*'] };
const input = { optional: { a: ['*'], b: ['*'], accumulate: ['*'] } };
const definitions = {
  StartLoop: { ...any, input },
  EndLoop: { ...any, input },
  Body: { ...any, input },
  Show: { ...any, input, output_node: true },
  Save: { ...any, input: { required: { a: ['*'] } }, output: [], output_node: true },
};
const catalog = Catalog.fromDefinitions(definitions);

type Links = Readonly<Record<string, string>>;

/** Node types with the nodes that they link to: `{ 'EndLoop 3': { a: '2' } }`. */
function promptOf(nodes: Readonly<Record<string, Links>>): object {
  const entries = Object.entries(nodes).map(([name, links]) => {
    const [classType, id = ''] = name.split(' ');
    const inputs = Object.fromEntries(Object.entries(links).map(([at, origin]) => [at, [origin, 0]]));
    return [id, { class_type: classType, inputs }];
  });
  return Object.fromEntries(entries) as object;
}

function verdictOn(nodes: Readonly<Record<string, Links>>, using = catalog): Verdict {
  return predictVerdict(promptFromData(promptOf(nodes)), using);
}

const start = { 'StartLoop 1': {}, 'Body 2': { a: '1' } };
const save = { 'Save 4': { a: '3' } };
const unclosed = { ...start, 'Show 4': { a: '2' } };
const escaping = { ...start, 'EndLoop 3': { a: '2' }, 'Show 4': { a: '3' }, 'Show 5': { a: '2' } };
const unstarted = { 'Body 2': {}, 'EndLoop 3': { a: '2' }, ...save };
const endedTwice = {
  'StartLoop 1': {},
  'EndLoop 3': { a: '1' },
  'EndLoop 5': { a: '3' },
  'Save 4': { a: '5' },
};
const ambiguous = {
  ...{ 'StartLoop 1': {}, 'StartLoop 11': {}, 'Body 2': { a: '1', b: '11' } },
  ...{ 'EndLoop 3': { a: '2' }, ...save },
};
const accumulating = { ...start, 'EndLoop 3': { a: '2', accumulate: '2' }, ...save };

describe('the verdict on loops', () => {
  it('stands at every node of the fault, as the server words it', () => {
    const { nodeErrors, error, loopFault } = verdictOn(escaping);
    expect(error?.details).toBe(
      'Loop body is not closed: Start Loop 1 reaches 5 without passing through End Loop 3',
    );
    expect([...nodeErrors.keys()]).toEqual(['1', '3', '5']);
    const extra = {
      input_name: 'loop boundary',
      loop_error_type: 'loop_escape',
      node_ids: ['1', '3', '5'],
      output_ids: ['4', '5'],
    };
    for (const { errors, dependentOutputs } of nodeErrors.values()) {
      expect(errors.map(({ type, extra_info }) => [type, Object.fromEntries(extra_info)])).toEqual([
        ['custom_validation_failed', extra],
      ]);
      expect(dependentOutputs).toEqual(['4', '5']);
    }
    expect(loopFault?.loop).toEqual({ start: '1', end: '3', reached: new Set(['2', '3', '5']) });
  });

  it.each([
    ['loop_start_without_end', unclosed, 'Start Loops without End Loops: 1', ['1']],
    ['loop_end_without_start', unstarted, 'End Loop 3 has no available Start Loop', ['3']],
    ['loop_end_without_start', endedTwice, 'End Loop 5 has no available Start Loop', ['5']],
    [
      'ambiguous_loop_nesting',
      ambiguous,
      'End Loop 3 can close multiple unrelated Start Loops: 1, 11',
      ['1', '11', '3'],
    ],
    [
      'loop_accumulate_from_body',
      accumulating,
      'End Loop 3 accumulate is driven by loop node 2 under Start Loop 1',
      ['1', '2', '3'],
    ],
  ])('is %s', (type, nodes, details, ids) => {
    expect(verdictOn(nodes).loopFault).toMatchObject({ type, details, nodeIds: ids, outputIds: ['4'] });
  });

  it('is none for loops that are closed, nested or one after another', () => {
    const nested = {
      'StartLoop 1': {},
      'StartLoop 2': { a: '1' },
      'Body 6': { a: '1', b: '2' },
      'EndLoop 3': { a: '6' },
      'EndLoop 5': { a: '3', b: '1' },
      'Save 4': { a: '5' },
    };
    const sequence = {
      'StartLoop 1': {},
      'EndLoop 2': { a: '1' },
      'StartLoop 3': { a: '2' },
      'EndLoop 5': { a: '3' },
      'Save 4': { a: '5' },
    };
    expect(verdictOn(nested)).toMatchObject({ valid: true, goodOutputs: ['4'] });
    expect(verdictOn(sequence)).toMatchObject({ valid: true, goodOutputs: ['4'] });
  });

  it('covers ends behind an output, and no start that no output depends on', () => {
    const behind = {
      'StartLoop 1': {},
      'Body 2': { a: '1' },
      'Show 4': { a: '2' },
      'EndLoop 3': { a: '2', b: '4' },
      'StartLoop 9': {},
    };
    expect(verdictOn(behind)).toMatchObject({ valid: true, goodOutputs: ['4'] });
  });

  it('costs only the outputs that depend on the loop', () => {
    const verdict = verdictOn({ ...unclosed, 'Body 7': {}, 'Save 8': { a: '7' } });
    expect(verdict).toMatchObject({ valid: true, error: null, goodOutputs: ['8'] });
    expect([...verdict.nodeErrors.keys()]).toEqual(['1']);
  });

  it('comes with the other errors of its nodes, and is listed twice if an output has one', () => {
    const nodes = { 'StartLoop 1': {}, 'EndLoop 3': { a: '1' }, 'Save 4': { b: '1' }, 'Show 5': { a: '3' } };
    const { error, nodeErrors } = verdictOn(nodes);
    const words = 'Loop body is not closed: Start Loop 1 reaches 4 without passing through End Loop 3';
    expect(error?.details.split('\n')).toEqual(['Required input is missing: a', words, words]);
    expect(nodeErrors.get('4')?.errors.map(({ type }) => type)).toEqual([
      'required_input_missing',
      'custom_validation_failed',
    ]);
    expect(nodeErrors.get('4')?.dependentOutputs).toEqual(['4', '5']);
  });

  it('is left to the error for a cycle', () => {
    const { loopFault, nodeErrors } = verdictOn({
      'StartLoop 1': { a: '3' },
      'EndLoop 3': { a: '1' },
      'Save 4': { a: '3' },
    });
    expect(loopFault).toBeUndefined();
    expect(nodeErrors.get('1')?.errors.map(({ type }) => type)).toEqual(['dependency_cycle']);
  });

  it('names ends that depend on each other through inputs that the server does not validate', () => {
    const nodes = {
      'EndLoop 3': { undeclared: '5' },
      'EndLoop 5': { undeclared: '3' },
      'StartLoop 1': {},
      'Save 4': { a: '3' },
      'Save 6': { a: '5' },
    };
    const { loopFault } = verdictOn(nodes);
    expect(loopFault).toMatchObject({ type: 'loop_end_cycle', nodeIds: ['3', '5'], outputIds: ['4', '6'] });
  });

  it("fails with the server's own code on a fault that costs no output", () => {
    const nodes = { 'Show 4': {}, 'EndLoop 3': { a: '4' } };
    expect(verdictOn(nodes).crash).toMatchObject({ exceptionType: 'IndexError' });
  });

  it('is about the node types of ComfyUI, not those of a pack with the same name', () => {
    const pack = Catalog.fromDefinitions({
      ...definitions,
      StartLoop: { ...definitions.StartLoop, python_module: 'custom_nodes.loops' },
    });
    expect(verdictOn(unclosed, pack)).toMatchObject({ valid: true, goodOutputs: ['4'] });
    expect(verdictBody(verdictOn(unclosed))).toContain('"loop_error_type": "loop_start_without_end"');
  });
});

describe('a broken loop', () => {
  /** `severity node.input: message` of each finding about a loop. */
  function findings(nodes: Readonly<Record<string, Links>>): string[] {
    const text = JSON.stringify(promptOf(nodes), undefined, 1);
    const report = checkWorkflow(WorkflowDocument.of(text), { catalog });
    expect(report.findings.filter(({ code }) => code === 'class-check')).toEqual([]);
    return report.findings
      .filter(({ code }) => code === 'loop')
      .map(({ severity, nodeId = '', input: at = '', message }) => `${severity} ${nodeId}.${at}: ${message}`);
  }

  it.each([
    [
      unclosed,
      'error 1.: StartLoop (node 1) has no End Loop. Add one that receives the result of the loop, or remove the node.',
    ],
    [
      unstarted,
      "error 3.: EndLoop (node 3) has no Start Loop, because it doesn't depend on any. Link the loop body to one, or remove the node.",
    ],
    [
      endedTwice,
      'error 5.: EndLoop (node 5) has no Start Loop of its own, because StartLoop (node 1) already ends at EndLoop (node 3). Remove one of the two, or add a Start Loop.',
    ],
    [
      escaping,
      'error 5.a: This link leaves the loop from StartLoop (node 1) to EndLoop (node 3): Show (node 5) uses Body (node 2). Use the output of EndLoop (node 3) instead. To run Show (node 5) in every iteration, link it to a termination input there.',
    ],
    [
      accumulating,
      'error 3.accumulate: accumulate of EndLoop (node 3) depends on Body (node 2), which is inside the loop. Set it to true or false, or link it to a node outside the loop.',
    ],
    [
      ambiguous,
      "error 3.: EndLoop (node 3) could end several loops, which start at nodes 1 and 11. Give each its own End Loop. To nest one in another, link its parent_iteration to the other's iteration_index.",
    ],
  ])('is explained once, where it can be mended (%#)', (nodes, line) => {
    expect(findings(nodes)).toEqual([line]);
  });
});
