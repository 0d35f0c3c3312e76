export type SocketTold =
  | { readonly kind: 'message'; readonly type: string; readonly data: Record<string, unknown> }
  | { readonly kind: 'frame'; readonly type: number; readonly nodeId?: string; readonly promptId?: string };

export function frameTold(type: number, metadata: Record<string, unknown> | undefined): SocketTold {
  const nodeId = metadata?.['node_id'];
  const promptId = metadata?.['prompt_id'];
  return {
    kind: 'frame',
    type,
    ...(typeof nodeId === 'string' ? { nodeId } : {}),
    ...(typeof promptId === 'string' ? { promptId } : {}),
  };
}
