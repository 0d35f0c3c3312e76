import type { EndEvent } from './endEvent';

/**
 * What `comfy-deck music --json` prints: one of these objects per line on standard output, and always `end` as the last
 * one. Fields may be added; kinds that a reader does not know are to be skipped.
 *
 * | event    | when                                                                       |
 * |----------|----------------------------------------------------------------------------|
 * | start    | first, once the arguments are understood                                   |
 * | title    | the title or the tags of a stream came or changed                          |
 * | progress | more seconds of a stream came                                              |
 * | saved    | a track is whole on disk; `partial` when the stream had broken off         |
 * | credits  | what the service says it took                                              |
 * | error    | why it failed, and what to do                                              |
 * | end      | last: how it ended, and the exit code                                      |
 */
export type MusicJsonEvent =
  | {
      readonly event: 'start';
      readonly prompt: string;
      readonly duration: number;
      readonly server: string;
      readonly out: string;
      /** About what it will cost; 0 on the sandbox. */
      /** Null where the price is not known. */
      readonly estimatedCredits: number | null;
    }
  | {
      readonly event: 'title';
      readonly stream: number;
      /** Which prompt and which copy of it this is, from 0; missing where the service does not tell. */
      readonly promptIndex?: number;
      readonly copyIndex?: number;
      readonly title?: string;
      readonly tags: readonly string[];
      readonly summary?: string;
    }
  | { readonly event: 'progress'; readonly stream: number; readonly seconds: number; readonly bytes: number }
  | {
      readonly event: 'saved';
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly stream: number;
      readonly promptIndex?: number;
      readonly copyIndex?: number;
      readonly seconds?: number;
      readonly title?: string;
      readonly partial: boolean;
    }
  | { readonly event: 'credits'; readonly used: number }
  | EndEvent;
