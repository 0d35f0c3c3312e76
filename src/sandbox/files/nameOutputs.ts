import { isCloud, type SandboxServer } from '../sandboxServer';
import { assetId, contentName, isArea } from './fileStore';

type OutputRecord = Readonly<Record<string, readonly unknown[]>>;

/**
 * Names the files of an output record as this server does: the cloud by their content (protocol 1.7), every server
 * with a climbing name while that fault is on. The file is stored under the new name too. Only a local server of today
 * tells what is in them, and their assets (protocol 2.3, 3.5).
 */
export function nameOutputs(server: SandboxServer, record: OutputRecord): OutputRecord {
  const climbing = server.faults.look('climbingNames');
  const named = Object.entries(record).map(([key, items]) => [
    key,
    Array.isArray(items) ? items.map((item: unknown) => nameItem(server, item, climbing?.prefix)) : items,
  ]);
  return Object.fromEntries(named) as OutputRecord;
}

function nameItem(server: SandboxServer, item: unknown, prefix: string | undefined): unknown {
  if (!isFileItem(item) || !isArea(item.type)) return item;
  const { metadata, ...entry } = item;
  const file = { filename: item.filename, subfolder: item.subfolder, type: item.type };
  if (!isCloud(server) && prefix === undefined) {
    if (server.dialect === 'local-old') return entry;
    const id = assetId(file);
    return { ...item, id, ...(metadata?.kind === 'image' && { preview_id: id }) };
  }
  const bytes = server.files.read(file);
  if (!bytes) return item;
  const own = isCloud(server)
    ? { filename: contentName(item.filename, bytes), subfolder: '', type: item.type }
    : file;
  const named = prefix === undefined ? own : { ...own, filename: `${prefix}${own.filename}` };
  server.files.alias(named, bytes);
  return { ...entry, ...named, ...(server.dialect === 'cloud' ? { display_name: item.filename } : {}) };
}

interface FileItem {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
  readonly metadata?: { readonly kind: string };
}

function isFileItem(item: unknown): item is FileItem {
  return (
    typeof item === 'object' &&
    item !== null &&
    'filename' in item &&
    'subfolder' in item &&
    'type' in item &&
    [item.filename, item.subfolder, item.type].every((value) => typeof value === 'string')
  );
}
