/**
 * What happens to a connection at a request. `refuse`: reset before the server receives it. `delay`: it is held back.
 * `halfCloseToServer`: nothing follows it. `halfCloseToClient`, `cut` and `stall`: this many bytes of the answer
 * pass, then the end, a reset, or silence and then a reset. Without bytes `cut` is a reset after the request was
 * carried out. `drip`: the answer arrives a few bytes at a time. `late`: reset at once, and the whole request reaches
 * the server later, as when a gateway passes it on.
 */
export const wireFaultKinds = [
  'refuse',
  'delay',
  'halfCloseToServer',
  'halfCloseToClient',
  'cut',
  'stall',
  'drip',
  'late',
] as const;

export type WireFaultKind = (typeof wireFaultKinds)[number];

export interface Target {
  readonly name: string;
  fits(method: string, path: string): boolean;
}

export interface WireFault {
  readonly kind: WireFaultKind;
  readonly target: Target;
  /** How many requests to the target pass before it strikes. */
  readonly skip: number;
  readonly bytes: number;
  readonly ms: number;
}

const bare = (path: string): string => path.replace(/^\/api(?=\/)/, '').replace(/\?.*/, '');

const targetOf = (name: string, method: string, path: RegExp): Target => ({
  name,
  fits: (given, target) => given === method && path.test(bare(target)),
});

export const targets: readonly Target[] = [
  targetOf('POST prompt', 'POST', /^\/prompt$/),
  targetOf('event socket', 'GET', /^\/ws$/),
  targetOf('job reading', 'GET', /^\/(jobs?|history|queue|prompt)(\/|$)/),
  targetOf('file', 'GET', /^\/(view|sandbox-storage)$/),
  targetOf('definitions', 'GET', /^\/(object_info|node_replacements|features|system_stats)(\/|$)/),
  { name: 'any request', fits: () => true },
];

export function describeWireFault({ kind, target, skip, bytes, ms }: WireFault): string {
  const takesBytes = kind !== 'refuse' && kind !== 'delay' && kind !== 'late';
  const takesTime = kind === 'delay' || kind === 'stall' || kind === 'late';
  const details = [
    ...(skip > 0 ? [`number ${skip + 1}`] : []),
    ...(takesBytes ? [`after ${bytes} bytes`] : []),
    ...(takesTime ? [`${ms} ms`] : []),
  ];
  return `${kind} at ${target.name}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}
