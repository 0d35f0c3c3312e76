import { expect, it, afterEach, describe } from 'vitest';
import { explainFailure, needsAccount } from '../../../src/core/jobs/failureExplanation';
import { failureLine, failureSource, tellFailure } from '../../../src/core/jobs/failureText';
import type { Job } from '../../../src/core/jobs/job';
import { stored } from './observations';
import { useTranslations } from '../../../src/core/safety/localize';

const explain = (message: string, exceptionType = 'Exception', node = {}) =>
  explainFailure({ exceptionType, message, traceback: [], ...node });

const known: readonly (readonly [string, string, RegExp])[] = [
  [
    'Payment Required: Please add credits to your account to use this node.',
    'Exception',
    /enough credits for this node/,
  ],
  ['Payment Required: Please add credits to your workspace to continue.', 'Exception', /out of credits/],
  ['Workspace has no active subscription.', 'Exception', /no active subscription/],
  ['The following private models require a subscription upgrade: a, b', 'Exception', /plan doesn't include/],
  ['Unauthorized: Please login first to use this node.', 'Exception', /without a key/],
  ['Rate Limit Exceeded: slow', 'Exception', /rate-limiting/],
  ['Job execution time exceeded maximum limit', 'Exception', /longer than your plan/],
  ['Job has stagnated', 'Exception', /made no progress/],
  ['RIP to the server your workflow was running on.', 'Exception', /stopped in the middle/],
  ['whatever', 'PanicError', /stopped in the middle/],
  ['internal error during model download: 404', 'PanicError', /model couldn't be downloaded/],
  ['Executor is busy with another job', 'Exception', /too busy/],
  ["No module named 'insightface'", 'ModuleNotFoundError', /library that the node needs is missing/],
  ['libGL.so.1: cannot open shared object file', 'ImportError', /library that the node needs is missing/],
  ['[enforce fail] DefaultCPUAllocator: not enough memory', 'RuntimeError', /server ran out of memory/],
  ['', 'MemoryError', /server ran out of memory/],
  ['[Errno 28] No space left on device', 'OSError', /server's disk is full/],
  ['CUDA error: device-side assert triggered', 'RuntimeError', /server's GPU/],
  ['CUDA out of memory. Tried to allocate', 'RuntimeError', /out of memory/],
  ['x', 'torch.OutOfMemoryError', /out of memory/],
  ['ERROR: clip input is invalid: None', 'RuntimeError', /no text encoder/],
  ['', 'graph.DependencyCycleError', /contains a cycle/],
];

it.each(known)('explains “%s” of %s', (message, type, title) => {
  const explanation = explain(message, type);
  expect(explanation.title).toMatch(title);
  expect(explanation.nextAction).toMatch(/\.$/);
});

it('keeps the first line of an unknown failure and names the node', () => {
  expect(
    explain('cannot identify image file\nmore', 'PIL.UnidentifiedImageError', {
      nodeId: '3',
      nodeType: 'LoadImage',
    }),
  ).toMatchObject({
    title: 'LoadImage failed: cannot identify image file',
    nextAction: 'Check the inputs of node 3, then run again.',
    ownWords: 'cannot identify image file',
  });
  expect(explain('', 'ValueError').title).toBe('The run failed.');
});

it('does not blame the inputs when memory runs out or a library is missing', () => {
  for (const [message, type] of [
    ['CUDA out of memory.', 'torch.OutOfMemoryError'],
    ['Unable to allocate 12.0 GiB', 'numpy.core._exceptions._ArrayMemoryError'],
    ['No module named x', 'ModuleNotFoundError'],
    ['DLL load failed while importing onnxruntime', 'ImportError'],
  ] as const) {
    expect(explain(message, type, { nodeId: '3', nodeType: 'KSampler' }).nextAction).not.toMatch(/inputs/i);
  }
});

it.each([
  ['Payment Required: Please add credits to your account to use this node.', 'Exception', true],
  ['Insufficient credits to queue workflows', 'Exception', true],
  ['whatever', 'InsufficientFundsError', true],
  ['Workspace has no active subscription.', 'Exception', true],
  ['CUDA out of memory', 'torch.OutOfMemoryError', false],
  ['whatever', 'ValueError', false],
])('%s (%s) is fixed on the account page: %s', (message, exceptionType, expected) => {
  expect(needsAccount({ exceptionType, message, traceback: [] })).toBe(expected);
});

it.each([
  ['ModelDownloadError', 'sdxl-moderation.safetensors: 404', /^A model couldn't be downloaded/],
  ['ModelDownloadError', 'No space left on device', /^A model couldn't be downloaded/],
  ['ImageDownloadError', '[Errno 28] No space left on device', /^An input image couldn't be downloaded/],
  ['ImageDownloadError', 'https://a.example: {"error":"x"}', /^An input image couldn't be downloaded/],
  ['ValidationError', 'allocation on device "cpu" is not an option', /^The server rejected the workflow/],
  ['OOMError', "No module named 'xformers'; DefaultCPUAllocator", /^The GPU ran out of memory/],
  ['InsufficientFundsError', 'Rate limit exceeded', /^Your account doesn't have enough credits/],
  ['InactiveSubscriptionError', 'Payment required', /^Your account has no active subscription/],
])('a documented type decides what %s means: %s', (type, message, title) => {
  expect(explain(message, type).title).toMatch(title);
});

it.each([
  ['InsufficientFundsError', 'Please add credits to your workspace', /^The workspace is out of credits/],
  [
    'InactiveSubscriptionError',
    'The following private models require a subscription upgrade: a',
    /your plan/,
  ],
  ['ValidationError', 'Invalid job: missing workflow', /^The server couldn't read the workflow/],
  ['ValidationError', '{"error":{"message":"Prompt has no outputs"}}', /: Prompt has no outputs$/],
])('the message of a %s says more about it: %s', (type, message, title) => {
  expect(explain(message, type).title).toMatch(title);
});

it.each(['oomerror', 'comfy.OOMError', 'pydantic.ValidationError', 'RuntimeError'])(
  'goes by the message first for %s, which is not documented',
  (type) => {
    expect(explain('No space left on device', type).title).toMatch(/disk is full/);
  },
);

const told = (exceptionType: string, message: string, node?: string) =>
  tellFailure(
    { nodeId: '4', nodeType: 'CheckpointLoaderSimple', exceptionType, message, traceback: [] },
    node,
  );

it.each([
  ['ValidationError', 'The server rejected the workflow', 'Fix the reported problems, then run again.'],
  [
    'ModelDownloadError',
    "A model couldn't be downloaded",
    'Check the model names and that you have access to them, then run again.',
  ],
  [
    'ImageDownloadError',
    "An input image couldn't be downloaded",
    "Check the image's name or URL, upload it again if it's a file, then run again.",
  ],
  [
    'OOMError',
    'The GPU ran out of memory',
    'Use a smaller image, batch, or model, or a machine with more memory.',
  ],
  [
    'InsufficientFundsError',
    "Your account doesn't have enough credits for this node",
    'Add credits to your Comfy account, then try again.',
  ],
  [
    'InactiveSubscriptionError',
    'Your account has no active subscription',
    'Check your subscription, then run again.',
  ],
])("each Comfy Cloud error is explained, with the server's words: %s", (type, explanation, nextAction) => {
  const source = `(${type} at CheckpointLoaderSimple, node 4)`;
  const message = `${explanation}. The server says: “portrait.png of 24 GB” ${source}.`;
  expect(told(type, 'portrait.png of 24 GB')).toEqual({ message, nextAction });
  expect(told(type, '').message).toBe(`${explanation} ${source}.`);
});

describe('a failure in words', () => {
  it('shows an unknown server message once', () => {
    expect(told('ValueError', 'bad size\nat line 3').message).toBe(
      'CheckpointLoaderSimple failed: bad size at line 3 (ValueError at CheckpointLoaderSimple, node 4).',
    );
    expect(told('ValueError', 'bad size.', 'My loader').message).toBe(
      'bad size (ValueError at CheckpointLoaderSimple, node 4).',
    );
    expect(told('ValueError', '').message).toBe(
      'CheckpointLoaderSimple failed (ValueError at CheckpointLoaderSimple, node 4).',
    );
  });

  it('does not repeat the node type when the node has the same name', () => {
    expect(told('OOMError', 'full', 'CheckpointLoaderSimple').message).toMatch(
      /full” \(OOMError at node 4\)\.$/,
    );
  });

  it('of the infrastructure names no node', () => {
    const failure = { exceptionType: 'PanicError', message: 'oops', traceback: [] };
    expect(tellFailure(failure).message).toBe(
      'The server stopped in the middle of the run. The server says: “oops” (PanicError).',
    );
    expect(failureSource({ ...failure, exceptionType: 'Error' })).toBe('');
  });

  it('shows the message of a late refusal without its JSON', () => {
    const words = 'Failed to send prompt request: 400: {"error":{"message":"Prompt has no outputs"}}';
    expect(told('ValidationError', words).message).toBe(
      'The server rejected the workflow: Prompt has no outputs (ValidationError at CheckpointLoaderSimple, node 4).',
    );
    expect(
      told('ValidationError', 'Failed: 400: {"error":{"message":""},"node_errors":{"1":{}}}').message,
    ).not.toContain('{');
  });

  it('is a single bounded line in which nothing acts', () => {
    const { message } = told('OOMError', `\u001b[31mred\n\u202eturned ${'x'.repeat(5_000)}`);
    expect(message).toMatch(/The server says: “\[31mred turned x+…” \(OOMError/);
    expect(message.length).toBeLessThan(600);
  });
});

describe('in another language', () => {
  afterEach(() => useTranslations('en', {}));

  it("has the server's words at their place in the sentence", () => {
    useTranslations('zh-cn', {
      '{0} failed: {1}': '因为“{1}”，{0} 失败',
      '{0} at {1}': '{1} 的 {0}',
      'node {0}': '节点 {0}',
    });
    expect(told('ValueError', 'bad size').message).toBe(
      '因为“bad size（CheckpointLoaderSimple，节点 4 的 ValueError）”，CheckpointLoaderSimple 失败。',
    );
  });
});

describe('the notification of a failed run', () => {
  const line = (message: string, more: Partial<Job> = {}) =>
    failureLine(
      { ...stored('failed'), ...more },
      { nodeId: '4', nodeType: 'KSampler', exceptionType: 'RuntimeError', message, traceback: [] },
    ).line();

  it('names the node if there is one, and says what to do while there is room', () => {
    expect(line('CUDA out of memory')).toMatch(/ failed at node 4: .*out of memory/);
    const boom = { exceptionType: 'RuntimeError', message: 'Boom', traceback: [] };
    const { message, nextAction } = tellFailure(boom);
    expect(failureLine(stored('failed'), boom).line()).toContain(` failed: ${message} ${nextAction}`);
  });

  it('is never longer than 160 characters, whatever the names and the message', () => {
    const long = 'sizes of tensors must match except in dimension 1 '.repeat(20);
    const origin = { ...stored('failed').origin, label: long, nodeNames: { 4: long } } as Job['origin'];
    for (const told of [line(long), line(long, { origin }), line('Boom', { origin })]) {
      expect(told.length).toBeLessThanOrEqual(160);
      expect(told).toContain('failed at ');
    }
  });
});
