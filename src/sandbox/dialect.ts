/** `documented` is the cloud exactly as documented; `local-old` is from before the jobs API. */
export type Dialect = 'cloud' | 'documented' | 'local' | 'local-old';

export function isCloudDialect(dialect: Dialect): dialect is 'cloud' | 'documented' {
  return dialect === 'cloud' || dialect === 'documented';
}

export const localMaxBodyBytes = 100 * 2 ** 20;
export const cloudMaxBodyBytes = 50 * 2 ** 20;

/** In `/features` and in the handshake (protocol 2.5, 3.2). */
export function serverFeatures(dialect: Dialect, concurrency: number): object | undefined {
  switch (dialect) {
    case 'documented':
      return undefined;
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
        assets: true,
      };
  }
}
