/** The largest file with results of a load test that is imported, in bytes. */
export const resultFileBytesMax = 200_000_000
