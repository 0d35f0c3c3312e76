import * as z from 'zod';
import { wireList, wireOptional } from '../protocol/wire';
import { readAnswer } from './answerShape';
import type { Transport } from './transport';

/** A workflow that a ComfyUI server of one's own offers. */
export interface ServerWorkflow {
  readonly title: string;
  readonly description: string;
  /** What the server lists it under. */
  readonly category: string;
  /** Its text is there. */
  readonly path: string;
}

const templateGroups = wireList(
  z.object({
    title: z.string().catch(''),
    templates: wireList(
      z.object({
        name: z.string(),
        title: wireOptional(z.string()),
        description: z.string().catch(''),
      }),
    ),
  }),
);
const storedFiles = wireList(z.object({ path: z.string() }));

/** The workflows that a ComfyUI server of one's own offers. */
export class ServerWorkflows {
  constructor(private readonly transport: Transport) {}

  /** The templates of ComfyUI's page, in its language if it has them. @throws ServerError */
  async templates(language: string | undefined, signal: AbortSignal): Promise<ServerWorkflow[]> {
    const read = (name: string): Promise<z.infer<typeof templateGroups>> =>
      this.transport.json(templateGroups, { path: `/templates/${name}.json`, signal });
    const own = language === undefined || language === 'en' ? undefined : read(`index.${language}`);
    const groups = (await own?.catch(() => undefined)) ?? (await read('index'));
    return groups.flatMap(({ title: category, templates }) =>
      templates.map(({ name, title = name, description }) => {
        return { title, description, category, path: `/templates/${encodeURIComponent(name)}.json` };
      }),
    );
  }

  /** Those that its users have saved there, listed under `category`. @throws ServerError */
  async stored(category: string, signal: AbortSignal): Promise<ServerWorkflow[]> {
    const answer = await this.transport.request({
      path: '/api/userdata',
      query: { dir: 'workflows', recurse: 'true', split: 'false', full_info: 'true' },
      // There is no such folder before the first one.
      accepts: (status) => status === 404,
      signal,
    });
    const files = answer.status === 404 ? [] : readAnswer(storedFiles, answer.text, 'GET /userdata');
    return files
      .filter(({ path }) => /\.json$/i.test(path) && !path.startsWith('.'))
      .map(({ path }) => ({
        ...{ title: path.replace(/\.json$/i, ''), description: '', category },
        path: storedPath(path),
      }));
  }

  /** @throws ServerError */
  text({ path }: ServerWorkflow, signal: AbortSignal): Promise<string> {
    return this.transport.text({ path, signal });
  }

  /** @param name with its folders and its extension. Undefined if there is none. @throws ServerError */
  async storedText(name: string): Promise<string | undefined> {
    const { status, text } = await this.transport.request({
      path: storedPath(name),
      accepts: (code) => code === 404,
    });
    return status === 404 ? undefined : text;
  }

  /** Stores a workflow. False if there is one of that name, and it isn't to be replaced. @throws ServerError */
  async store(name: string, text: string, mayReplace: boolean): Promise<boolean> {
    const { status } = await this.transport.request({
      method: 'POST',
      path: storedPath(name),
      query: { overwrite: String(mayReplace) },
      body: { text, mime: 'application/json' },
      accepts: (code) => code === 409,
    });
    return status !== 409;
  }
}

/** A server decodes a name twice, and `%2f..%2f` would lead out of the folder. */
function storedPath(name: string): string {
  return `/api/userdata/${encodeURIComponent(`workflows/${name.replaceAll('%', '%25')}`)}`;
}
