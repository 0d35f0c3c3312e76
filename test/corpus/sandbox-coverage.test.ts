import { describe, expect, it } from 'vitest';
import { Catalog } from '../../src/core/catalog/catalog';
import { predictVerdict } from '../../src/core/check/verdict';
import type { Verdict } from '../../src/core/check/verdict';
import { parseExact } from '../../src/core/json/boundedJson';
import { plainFrom } from '../../src/core/json/exactValue';
import { parseJson } from '../../src/core/json/tree';
import { readPrompt } from '../../src/core/workflow/prompt';
import { encodePng } from '../../src/sandbox/drawing/picture';
import { plainPicture } from '../../src/sandbox/drawing/picture';
import { ExecutionCache } from '../../src/sandbox/execution/executionCache';
import { runPrompt } from '../../src/sandbox/execution/promptRun';
import { FileStore } from '../../src/sandbox/files/fileStore';
import { storedFile } from '../../src/sandbox/nodes/pictureNodes';
import { sandboxDefinitions, sandboxNodes } from '../../src/sandbox/nodes/nodeSet';
import type { SubmittedNode } from '../../src/sandbox/nodes/sandboxNode';
import { corpusFolder, corpusNote, corpusText, sampledCorpusNames, sampleShare } from '../support/corpus';

/** The sizes in the files would take minutes to draw; the result does not depend on them. */
const smallSide = 64;

describe.skipIf(corpusFolder === undefined)(`ordinary API files on the sandbox${corpusNote}`, () => {
  it("mostly run if they use only ComfyUI's own node types", { timeout: 300_000 }, async () => {
    const outcomes = new Map<string, number>();
    for (const name of sampledCorpusNames('workflows', 'api')) {
      const text = corpusText('workflows', 'api', name);
      const outcome = await tryOut(plainFrom(parseExact(text)) as Record<string, SubmittedNode>, text);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    const rows = [...outcomes].sort(([, a], [, b]) => b - a).slice(0, 25);
    process.stdout.write(`sandbox:\n${rows.map(([outcome, count]) => `  ${count} ${outcome}\n`).join('')}`);
    expect(outcomes.get('ran')).toBeGreaterThanOrEqual(360 / sampleShare);
  });
});

/** `ran`, or why it did not run. */
async function tryOut(prompt: Record<string, SubmittedNode>, promptText: string): Promise<string> {
  const nodes = sandboxNodes();
  const unknown = [...new Set(Object.values(prompt).map((node) => node.class_type))].filter(
    (type) => !nodes.has(type),
  );
  if (unknown.length > 0)
    return unknown.length === 1 ? `unknown class ${unknown[0] ?? ''}` : 'several unknown classes';
  const files = new FileStore();
  const picture = encodePng(plainPicture(smallSide, smallSide, [90, 120, 150]));
  const small: Record<string, SubmittedNode> = {};
  for (const [id, node] of Object.entries(prompt)) {
    const inputs = Object.entries(node.inputs).map(([name, value]) => [name, shrunk(name, value)]);
    small[id] = { ...node, inputs: Object.fromEntries(inputs) as SubmittedNode['inputs'] };
    // The files that a workflow names exist, as a user would have provided them.
    for (const name of ['image', 'audio']) {
      const value = node.inputs[name];
      if (typeof value === 'string' && node.class_type.startsWith('Load'))
        files.write(storedFile(value), picture);
    }
  }
  const verdict = verdictOf(promptText);
  if (!verdict.valid) return `refused: ${refusal(verdict)}`;
  const result = await runPrompt({
    promptId: 'corpus',
    prompt: small,
    promptText,
    partnerKey: 'test-key',
    targets: verdict.goodOutputs,
    nodes,
    cache: new ExecutionCache(),
    files,
    signal: new AbortController().signal,
    emit: () => undefined,
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    timing: 'fast',
    previews: false,
  });
  if (result.status === 'success') return 'ran';
  const [, error] = result.messages.at(-1) ?? [];
  return `${String(error?.['node_type'])}: ${String(error?.['exception_message']).trim()}`;
}

const catalog = Catalog.fromDefinitions(sandboxDefinitions());

/** The sandbox server's answer to the file; input files count as present. */
function verdictOf(promptText: string): Verdict {
  const validators = new Map(
    [...sandboxNodes()].flatMap(([name, { validates }]) =>
      validates === undefined
        ? []
        : [[name, { inputs: new Set(validates), takesAll: false, takesTypes: false }]],
    ),
  );
  return predictVerdict(readPrompt(parseJson(promptText)), catalog, { validators });
}

function refusal(verdict: Verdict): string {
  const errors = [...verdict.nodeErrors.entries()].flatMap(([id, { errors: list }]) =>
    list.map((error) => `${error.type} ${error.details} (node ${id})`),
  );
  return (errors[0] ?? verdict.error?.type ?? verdict.crash?.message ?? '').slice(0, 120);
}

function shrunk(name: string, value: unknown): unknown {
  const isSide = /width|height|side|size$|length$|megapixels/.test(name) && typeof value === 'number';
  return isSide ? Math.min(value, smallSide) : value;
}
