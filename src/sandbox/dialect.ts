/** Whose words the sandbox speaks: the cloud's, those of a local server of today, or of one before the jobs API. */
export type Dialect = 'cloud' | 'local' | 'local-old';

export const localMaxBodyBytes = 100 * 2 ** 20;
export const cloudMaxBodyBytes = 50 * 2 ** 20;

/** What the servers say of themselves in `/features` and in the handshake (protocol 2.5, 3.2). */
export function serverFeatures(dialect: Dialect, concurrency: number): object {
  switch (dialect) {
    case 'cloud':
      return {
        supports_preview_metadata: true,
        max_upload_size: cloudMaxBodyBytes,
        max_concurrent_jobs: concurrency,
      };
    case 'local-old':
      return { supports_preview_metadata: true, max_upload_size: localMaxBodyBytes };
    case 'local':
      return {
        supports_preview_metadata: true,
        supports_model_type_tags: true,
        max_upload_size: localMaxBodyBytes,
        extension: { manager: { supports_v4: true } },
        node_replacements: true,
        assets: false,
      };
  }
}
