import { parsePythonJson } from '../json/boundedJson';
import type { NodeErrorMap, PromptError } from './nodeErrors';
import { readNodeErrors } from './nodeErrors';
import { isRecord } from './wire';

export interface ErrorBody {
  /** The server's words: trimmed, bounded, without markup. */
  readonly message?: string;
  /** `error.type`, `error.code` or `code`. */
  readonly code?: string;
  readonly nodeErrors?: NodeErrorMap;
  readonly promptError?: PromptError;
}

const longestRawText = 500;
const longestMessage = 2000;

/** Reads error bodies of every shape in protocol 7.1, including HTML and empty ones. Never throws. */
export function readErrorBody(bodyText: string, contentType?: string | null): ErrorBody {
  const text = bodyText.trim();
  if (text === '') return {};
  const value = parsed(text);
  if (value !== undefined) return readValue(value, 3);
  return text.length > longestRawText || /\bhtml\b/i.test(contentType ?? '') ? {} : messageOf(text);
}

/** The cloud validates late: the refusal is JSON inside the message of an execution error (protocol 1.5). */
export function embeddedValidation(
  message: string,
): { readonly error?: PromptError | undefined; readonly nodeErrors?: NodeErrorMap | undefined } | undefined {
  const start = message.indexOf('{');
  const end = message.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  const value = parsed(message.slice(start, end + 1));
  if (!isRecord(value)) return undefined;
  const body = readObject(value, 2);
  const named = body.nodeErrors && Object.keys(body.nodeErrors).length > 0 ? body.nodeErrors : undefined;
  if (!named && !body.promptError) return undefined;
  return {
    error: body.promptError,
    nodeErrors: named,
  };
}

function parsed(text: string): unknown {
  if (!/^[{["]/.test(text)) return undefined;
  try {
    return parsePythonJson(text);
  } catch {
    return undefined;
  }
}

function readValue(value: unknown, depth: number): ErrorBody {
  if (typeof value === 'string') {
    const inner = depth > 0 ? parsed(value.trim()) : undefined;
    return inner === undefined ? messageOf(value) : readValue(inner, depth - 1);
  }
  return isRecord(value) ? readObject(value, depth) : {};
}

function readObject(body: Readonly<Record<string, unknown>>, depth: number): ErrorBody {
  const own = {
    ...('node_errors' in body ? { nodeErrors: readNodeErrors(body['node_errors']) } : {}),
    ...codeOf(body['code'] ?? body['type']),
  };
  const { error } = body;
  if (isRecord(error)) return { ...own, ...fromErrorObject(error, depth) };
  if (typeof error === 'string' && error.trim() !== '')
    return { ...own, ...withDetails(fromErrorText(error, body, depth), body['details']) };
  const { detail } = body;
  if (isRecord(detail)) return { ...own, ...readObject(detail, depth) };
  if (Array.isArray(detail)) return { ...own, ...complaintsOf(detail) };
  for (const words of [detail, body['message'], body['reason']]) {
    if (typeof words === 'string' && words.trim() !== '') {
      return { ...own, ...withDetails(readValue(words, depth - 1), body['details']) };
    }
  }
  if (Array.isArray(body['details'])) return { ...own, ...complaintsOf(body['details']) };
  return Array.isArray(body['errors']) ? { ...own, ...complaintsOf(body['errors']) } : own;
}

/** The registry has details in a list beside its message (protocol 6). */
function withDetails(told: ErrorBody, details: unknown): ErrorBody {
  const more = Array.isArray(details) ? complaintsOf(details).message : undefined;
  if (more === undefined || told.message === undefined || told.message.includes(more)) return told;
  return { ...told, ...messageOf(`${told.message}: ${more}`) };
}

function complaintsOf(list: readonly unknown[]): { readonly message?: string } {
  return messageOf(list.map(complaint).filter(Boolean).join('; '));
}

function fromErrorObject(error: Readonly<Record<string, unknown>>, depth: number): ErrorBody {
  const { message, details, extra_info: extraInfo } = error;
  const nested = typeof message === 'string' ? readValue(message, depth - 1) : {};
  const words = nested.message ?? '';
  const code = codeOf(error['type'] ?? error['code']);
  return {
    ...nested,
    ...code,
    promptError: nested.promptError ?? {
      type: code.code,
      message: words,
      details: typeof details === 'string' ? details.slice(0, longestMessage) : undefined,
      extraInfo: isRecord(extraInfo) ? extraInfo : undefined,
    },
  };
}

/**
 * `{error: "text"}`, also beside a more detailed `message`: the text may be a code, or the heading of the message.
 */
function fromErrorText(error: string, body: Readonly<Record<string, unknown>>, depth: number): ErrorBody {
  const { message } = body;
  const says = typeof message === 'string' && message.trim() !== '' ? message : undefined;
  const coded = says !== undefined && /^[A-Za-z0-9_.-]+$/.test(error);
  const told = readValue(coded ? says : error, depth - 1);
  const isHeading = !coded && says !== undefined && says !== error && told.message === error.trim();
  const inner = isHeading ? { ...told, ...messageOf(`${error.trim()}: ${says}`) } : told;
  return {
    ...inner,
    ...(coded ? codeOf(error) : {}),
    promptError: inner.promptError ?? { type: coded ? error : undefined, message: inner.message ?? '' },
  };
}

function codeOf(value: unknown): { readonly code?: string } {
  if (typeof value === 'number') return { code: String(value) };
  return typeof value === 'string' && value !== '' ? { code: value.slice(0, 100) } : {};
}

function complaint(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  if (!isRecord(entry)) return '';
  const words = entry['msg'] ?? entry['message'];
  return typeof words === 'string' ? words : '';
}

function messageOf(text: string): { readonly message?: string } {
  const trimmed = text.trim();
  if (trimmed === '' || looksLikeMarkup(trimmed)) return {};
  return { message: trimmed.length > longestMessage ? `${trimmed.slice(0, longestMessage)}…` : trimmed };
}

function looksLikeMarkup(text: string): boolean {
  return text.startsWith('<') || /<\/?(html|head|body|title|h1|p|div|br|center|pre|hr)\b[^>]*>/i.test(text);
}
