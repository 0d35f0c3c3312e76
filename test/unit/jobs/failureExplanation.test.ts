import { expect, it } from 'vitest';
import { explainFailure, needsAccount } from '../../../src/core/jobs/failureExplanation';

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

for (const [message, type, title] of known) {
  it(`explains ${type}: ${message}`, () => {
    const explanation = explain(message, type);
    expect(explanation.title).toMatch(title);
    expect(explanation.nextAction).toMatch(/\.$/);
  });
}

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
  [
    'ImageDownloadError',
    'https://a.example: {"error":"Not found"}',
    /^An input image couldn't be downloaded/,
  ],
  ['ValidationError', 'allocation on device "cpu" is not an option', /^The server rejected the workflow/],
  ['OOMError', "No module named 'xformers'; DefaultCPUAllocator", /^The GPU ran out of memory/],
  [
    'InsufficientFundsError',
    'Rate limit exceeded for free accounts',
    /^Your account doesn't have enough credits/,
  ],
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
