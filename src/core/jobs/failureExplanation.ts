import { embeddedValidation } from '../protocol/errorBody';
import type { ExecutionFailure } from '../protocol/serverEvent';
import { t } from '../safety/localize';

export interface FailureExplanation {
  readonly title: string;
  readonly nextAction: string;
  /** The server's words in the title, if it contains nothing else but the node. */
  readonly ownWords?: string | undefined;
  readonly titleWith?: (words: string) => string;
}

interface Known {
  readonly title: string;
  readonly nextAction: string;
  /** Exception types without their module, compared in any case. */
  readonly types?: readonly string[];
  readonly message?: RegExp;
  readonly within?: string;
  readonly account?: true;
}

/** Spelt exactly like this, these say what happened, whatever words their message contains (protocol 7.3). */
const documentedTypes: ReadonlySet<string> = new Set([
  'ValidationError',
  'ModelDownloadError',
  'ImageDownloadError',
  'OOMError',
  'InsufficientFundsError',
  'InactiveSubscriptionError',
]);

/** Messages and types of protocol 7.3: a documented type first, then messages before types. */
const known = (): readonly Known[] => [
  {
    within: 'InsufficientFundsError',
    message: /add credits to your workspace|insufficient credits to queue/i,
    title: t`The workspace is out of credits.`,
    nextAction: t`Add credits to the workspace, then run again.`,
    account: true,
  },
  {
    types: ['InsufficientFundsError', 'insufficient_credits'],
    message: /^payment required/i,
    title: t`Your account doesn't have enough credits for this node.`,
    nextAction: t`Add credits to your Comfy account, then try again.`,
    account: true,
  },
  {
    within: 'InactiveSubscriptionError',
    message: /^the following private models require a subscription upgrade/i,
    title: t`The workflow uses models that your plan doesn't include.`,
    nextAction: t`Choose other models, or change your plan.`,
    account: true,
  },
  {
    types: ['InactiveSubscriptionError'],
    message: /has no active subscription|subscription required/i,
    title: t`Your account has no active subscription.`,
    nextAction: t`Check your subscription, then run again.`,
    account: true,
  },
  {
    types: ['AccessRequired'],
    message: /please login first/i,
    title: t`A partner node ran without a key.`,
    nextAction: t`Sign in, then run again.`,
  },
  {
    message: /^rate limit exceeded/i,
    title: t`The service behind a node is rate-limiting requests.`,
    nextAction: t`Try again later.`,
  },
  {
    message: /execution time exceeded maximum/i,
    title: t`The job ran longer than your plan allows.`,
    nextAction: t`Make the workflow smaller, or change your plan.`,
  },
  {
    message: /too long without making any progress|has stagnated/i,
    title: t`The job made no progress for too long and was stopped.`,
    nextAction: t`Run again. If it stops again, look at the node that ran last.`,
  },
  {
    types: ['PanicError', 'WebSocketError', 'DispatcherError', 'ServiceError', 'UnexpectedServiceError'],
    message:
      /inference service restarted|^rip to the server|interrupted due to comfyui process restart|interrupted: server shutdown/i,
    title: t`The server stopped in the middle of the run.`,
    nextAction: t`Run again.`,
  },
  {
    message: /executor is busy|failed to enqueue job|servers are busy/i,
    title: t`The server was too busy to run this.`,
    nextAction: t`Try again later.`,
  },
  {
    types: ['OOMError', 'OutOfMemoryError'],
    message: /out of memory|allocation on device|insufficient memory/i,
    title: t`The GPU ran out of memory.`,
    nextAction: t`Use a smaller image, batch, or model, or a machine with more memory.`,
  },
  {
    types: ['MemoryError'],
    message: /defaultcpuallocator|cannot allocate memory|not enough memory|bad_alloc|unable to allocate/i,
    title: t`The server ran out of memory.`,
    nextAction: t`Use a smaller image, batch, or model, or a machine with more memory.`,
  },
  {
    message: /no space left on device|disk quota exceeded/i,
    title: t`The server's disk is full.`,
    nextAction: t`Free some space on the server, then run again.`,
  },
  {
    types: ['ModuleNotFoundError', 'ImportError', 'PackageNotFoundError'],
    message:
      /no module named|cannot import name|dll load failed|cannot open shared object file|could not load library|reason: image not found/i,
    title: t`A library that the node needs is missing on the server.`,
    nextAction: t`Install the node pack's requirements on the server and restart it, then run again.`,
  },
  {
    types: ['AcceleratorError'],
    message:
      /^cuda error|not compiled with cuda|no kernel image is available|no nvidia driver|cudnn_status|hip error/i,
    title: t`The server's GPU or its driver failed.`,
    nextAction: t`Restart the server manually, or check its log for the reason.`,
  },
  {
    types: ['ModelDownloadError', 'ModelAccessError'],
    message: /internal error during model download/i,
    title: t`A model couldn't be downloaded.`,
    nextAction: t`Check the model names and that you have access to them, then run again.`,
  },
  {
    types: ['ImageDownloadError'],
    title: t`An input image couldn't be downloaded.`,
    nextAction: t`Check the image's name or URL, upload it again if it's a file, then run again.`,
  },
  {
    types: ['ValidationError'],
    title: t`The server rejected the workflow.`,
    nextAction: t`Fix the reported problems, then run again.`,
  },
  {
    types: ['PreprocessingTimeout'],
    message: /^preprocessing (failed|timed out)|^failed to complete preparation/i,
    title: t`The server couldn't prepare the run.`,
    nextAction: t`Run again. If it fails again, check the models and inputs that the workflow uses.`,
  },
  {
    message: /moderation|safety (check|system|filter)|responsible ai/i,
    title: t`The content was rejected by a safety check.`,
    nextAction: t`Change the prompt or the image, then run again.`,
  },
  {
    message: /^error: clip input is invalid: none/i,
    title: t`The checkpoint contains no text encoder.`,
    nextAction: t`Load a separate text encoder, or choose a checkpoint that includes one.`,
  },
  {
    types: ['DependencyCycleError'],
    title: t`The workflow contains a cycle.`,
    nextAction: t`Remove one of the links in the cycle.`,
  },
  {
    types: ['NodeNotFoundError', 'NodeInputError'],
    title: t`The workflow links to a node that doesn't exist.`,
    nextAction: t`Remove the link or add the node.`,
  },
  {
    within: 'ValidationError',
    message: /^invalid (job|workflow):/i,
    title: t`The server couldn't read the workflow.`,
    nextAction: t`Check that the file is a workflow in the API format.`,
  },
];

export function needsAccount(failure: ExecutionFailure): boolean {
  return knownKind(failure)?.account === true;
}

function knownKind({ message, exceptionType }: ExecutionFailure): Known | undefined {
  if (documentedTypes.has(exceptionType)) {
    return (
      known().find(({ within, message: words }) => within === exceptionType && words?.test(message.trim())) ??
      known().find(({ types }) => types?.includes(exceptionType))
    );
  }
  const type = exceptionType.split('.').at(-1)?.toLowerCase() ?? '';
  // Messages say more than types: one type covers many infrastructure errors.
  return (
    known().find((kind) => kind.message?.test(message.trim())) ??
    known().find((kind) => kind.types?.some((name) => name.toLowerCase() === type))
  );
}

export function explainFailure(failure: ExecutionFailure): FailureExplanation {
  const message = failure.message.trim();
  const { exceptionType } = failure;
  const isOther = exceptionType !== 'ValidationError' && documentedTypes.has(exceptionType);
  const validation = isOther ? undefined : embeddedValidation(message);
  if (validation) {
    const nextAction = t`Fix the reported problems, then run again.`;
    const titleWith = (words: string) => t`The server rejected the workflow: ${words}`;
    return explanationWith(
      validation.error?.message,
      titleWith,
      t`The server rejected the workflow.`,
      nextAction,
    );
  }
  const fitting = knownKind(failure);
  if (fitting) return { title: fitting.title, nextAction: fitting.nextAction };
  const { nodeType, nodeId } = failure;
  const nextAction = nodeId
    ? t`Check the inputs of node ${nodeId}, then run again.`
    : t`Run again. If it fails again, check the server log.`;
  const titleWith = (words: string) =>
    nodeType ? t`${nodeType} failed: ${words}` : t`The run failed: ${words}`;
  const wordless = nodeType ? t`${nodeType} failed.` : t`The run failed.`;
  return explanationWith(message.split('\n')[0]?.trim(), titleWith, wordless, nextAction);
}

function explanationWith(
  ownWords: string | undefined,
  titleWith: (words: string) => string,
  wordless: string,
  nextAction: string,
): FailureExplanation {
  if (!ownWords) return { title: wordless, nextAction };
  return { title: titleWith(ownWords), nextAction, ownWords, titleWith };
}
