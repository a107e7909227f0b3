/** What a file may ask of us. All are far above real files and far below what would hurt the process. */
export const limits = {
  decompressedBytes: 512 * 1024 * 1024,
  /** Nodes of a call tree. */
  nodes: 2 ** 21,
  /** Nodes times sample types: 8 bytes each. */
  values: 2 ** 25,
  sampleTypes: 64,
  /** Entries of one pprof table: strings, functions, locations, mappings, inlined lines. */
  tableEntries: 2 ** 23,
  /** Distinct label values that are told apart. */
  labelValues: 10_000,
  /** Combinations of labels that are told apart. */
  labelSets: 10_000,
  /** Labels that a sample may carry. */
  labelsPerSample: 64,
  /** Samples whose times are kept. */
  timelineSamples: 2 ** 22,
  /** Label values that stay in a summary, per label name. */
  labelValuesShown: 100,
  /** JSON becomes objects of up to 20 times its size, so it has a lower limit ... */
  jsonBytes: 128 * 1024 * 1024,
  /** ... and one for the number of its arrays and objects. */
  jsonContainers: 8_000_000,
  /** Bytes of a line of text. */
  lineBytes: 16 * 1024 * 1024,
  /** Frames stepped over while expanding inlined functions. */
  inlineSteps: 2 ** 26,
  /** Objects of a heap snapshot, about 40 bytes each ... */
  heapNodes: 2 ** 23,
  /** ... and references between them, about 20 bytes each while they are analyzed. */
  heapEdges: 2 ** 25,
  /** Characters that stay of the name of an object, which for a string is what it holds. */
  heapStringLength: 256,
  /** A source map, and all that come with a profile. */
  sourceMapBytes: 50 * 1024 * 1024,
  sourceMapsBytes: 200 * 1024 * 1024,
  /** Lines and segments of all of them, 16 bytes each. */
  sourceMapSegments: 2 ** 23,
} as const
