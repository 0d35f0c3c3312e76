import { createRequire } from 'node:module';
import type * as JsonService from 'vscode-json-languageservice';

// Its main file is a UMD module, without names that Node can import.
const { getLanguageService, TextDocument } = createRequire(import.meta.url)(
  'vscode-json-languageservice',
) as typeof JsonService;

/** VS Code's own JSON support with a schema: the reference for the checks and the language features. */
export class JsonSupport {
  readonly #service = getLanguageService({});

  constructor(schema: JsonService.JSONSchema) {
    this.#service.configure({ schemas: [{ uri: 'bench://nodes', fileMatch: ['*'], schema }] });
  }

  async diagnostics(text: string): Promise<number> {
    const document = documentOf(text);
    const found = await this.#service.doValidation(document, this.#service.parseJSONDocument(document));
    return found.length;
  }

  async complete(text: string, offset: number): Promise<number> {
    const document = documentOf(text);
    const json = this.#service.parseJSONDocument(document);
    const list = await this.#service.doComplete(document, document.positionAt(offset), json);
    return list?.items.length ?? 0;
  }

  /** Parses first; returns only the hover, as an editor requests it between two changes. */
  hoverOf(text: string): (offset: number) => PromiseLike<unknown> {
    const document = documentOf(text);
    const json = this.#service.parseJSONDocument(document);
    return (offset) => {
      return this.#service.doHover(document, document.positionAt(offset), json);
    };
  }
}

function documentOf(text: string): JsonService.TextDocument {
  return TextDocument.create('bench://file.json', 'json', 1, text);
}
