/** What virtual users are made of. */
export const importFormats = [
  'har',
  'jmx',
  'postman',
  'playwright',
  'side',
  'openapi',
  'archive',
  'urls',
  'curl',
  'webdriver',
] as const

/** The largest source that is imported, in bytes. */
export const importBytesMax = 200_000_000
