/** What a program that pushes has to know: without zod, which programs should not have to load. */

/** In the order in which they are shown. */
export const liveSections = [
  'functions_timing',
  'functions_alloc',
  'channels',
  'streams',
  'futures',
  'threads',
  'gauges',
  'debug',
  'values',
  'runtime',
  'functions_cpu',
  'locks',
  'sql',
  'http',
  'server',
  'io',
] as const
export type LiveSection = (typeof liveSections)[number]

export const liveLimits = {
  /** Items of a section in a push; a program with more sends those that matter most. */
  itemsMax: 2000,
  /** Entries of all logs in a push. */
  entriesMax: 100_000,
  /** Logs in a push; of an item there is one, with all its entries. */
  logsMax: 20_000,
  /** Characters of the text of an entry; producers cut what is longer. */
  textMax: 2000,
  nameMax: 500,
  /** Bytes of a push, before compression. */
  bytesMax: 32 * 2 ** 20,
} as const
