/**
 * The role of a node in the prompt: `executed` nodes are sent, `instance` stands for the inside of a subgraph,
 * `passing` passes its input on, `getter` gets the value of the setter with the same name, `silent` leaves no trace.
 */
export type NodeRole = 'executed' | 'instance' | 'passing' | 'getter' | 'silent';
