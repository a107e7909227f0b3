/** Between two words of how far it is. */
const tellEveryMs = 1000

/** The content, while it is told how much of it was read, as 10 to 80 percent. */
export async function* told(
  content: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  tell: (percent: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let read = 0
  let toldAt = Date.now()
  for await (const chunk of content) {
    yield chunk
    read += chunk.length
    if (Date.now() - toldAt < tellEveryMs) continue
    toldAt = Date.now()
    await tell(10 + Math.floor((70 * read) / Math.max(sizeBytes, read)))
  }
}
