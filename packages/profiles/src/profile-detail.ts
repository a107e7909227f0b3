/** Labels that samples carry together: `[name, value]` pairs. A thread is the label `thread`, a process `process`. */
export type LabelSet = readonly (readonly [name: string, value: string])[]

/**
 * What the call tree alone does not tell: which labels, which times and which lines its values belong to. Asked for less
 * often than the tree, so it is stored beside it. Nodes are those of the tree.
 */
export interface ProfileDetail {
  /** The first one has no labels. */
  labelSets: LabelSet[]
  /** Self values by label set; absent where no sample has labels. */
  labelled?: LabelledValues
  /** Absent where samples have no times. */
  timeline?: Timeline
  /** Absent where frames have no lines. */
  lines?: LineValues
}

/** Rows in the order of nodes. Over all rows of a node, values add up to its self values. */
export interface LabelledValues {
  nodes: Int32Array
  labelSetIndexes: Int32Array
  /** Per sample type. */
  values: Float64Array[]
}

/** Samples in the order of their times. */
export interface Timeline {
  /** Milliseconds since the start of the profile. */
  timesMs: Float64Array
  /** Where the stack of the sample ends. */
  nodes: Int32Array
  labelSetIndexes: Int32Array
  /** Of the default sample type. */
  values: Float64Array
}

/**
 * Rows of (node, line of its function's source), in the order of nodes. Self values of a node's rows add up to what it
 * has itself; total values to that and what was called from there.
 */
export interface LineValues {
  nodes: Int32Array
  lines: Int32Array
  /** Per sample type. */
  selfValues: Float64Array[]
  totalValues: Float64Array[]
}
