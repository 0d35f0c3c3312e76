import { parseExact, parsePythonJson } from '../../src/core/json/boundedJson';
import { isExactObject } from '../../src/core/json/exactValue';
import { writeExact } from '../../src/core/json/exactWriter';
import { corpusText } from './corpus';

/** The content of a recording of a real server, one event per line (see the README of the corpus). */
export type TranscriptEvent =
  | TranscriptHttp
  | { readonly ev: 'ws'; readonly msg: { readonly type: string; readonly data: Record<string, unknown> } }
  | { readonly ev: 'ws-bin'; readonly type: number; readonly metadata?: Record<string, unknown> }
  | { readonly ev: 'ws-open'; readonly clientId: string }
  | { readonly ev: 'ws-send'; readonly msg: unknown }
  | { readonly ev: 'ws-close' | 'note' | 'TIMEOUT' };

export interface TranscriptHttp {
  readonly ev: 'http';
  readonly method: string;
  readonly path: string;
  readonly note?: string;
  /** JSON text, with every number as sent. */
  readonly request?: string;
  /** The body as text, if it is not JSON or not a plain submission. */
  readonly request_raw?: string;
  readonly status: number;
  readonly type: string | null;
  readonly body?: unknown;
  readonly text?: string;
  /** The start of a body too large to keep. */
  readonly body_cut?: string;
  readonly bytes?: number;
}

export function readTranscript(version: string, name: string): readonly TranscriptEvent[] {
  const folder = version === '0.40r' ? ['today', 'transcripts'] : ['transcripts'];
  const lines = corpusText(...folder, version, `${name}.ndjson`).split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => eventOf(line));
}

function eventOf(line: string): TranscriptEvent {
  const event = parsePythonJson(line) as TranscriptEvent;
  if (event.ev !== 'http' || event.request === undefined) return event;
  const exact = parseExact(line);
  const request = isExactObject(exact) ? exact.get('request') : undefined;
  return { ...event, request: writeExact(request ?? null) };
}
