import { FormData } from 'undici/lib/web/fetch/formdata.js';
import { multipartForm } from '../core/client/fetchStack';
import type { FormPart } from '../core/client/httpStack';

export function undiciForm(parts: readonly FormPart[]): unknown {
  return multipartForm(parts, { FormData, Blob });
}
