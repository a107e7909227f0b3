import { Redactor } from '../text/redactor.ts'
import type { Exchange } from './exchange.ts'
import { readRecording } from './read-recording.ts'
import type { RecordingIndex, RecordingWriter } from './recording-writer.ts'
import { redactExchange } from './redact-exchange.ts'

/** Each is looked for in many forms, in every text of the recording. */
const secretsMax = 50

/**
 * Writes a recording anew, with dots for the secrets wherever they stand, also encoded. Each exchange keeps its place. Where there
 * are more secrets than can be looked for, of requests only method and path stay.
 */
export async function hideSecrets(
  recording: { content: AsyncIterable<Uint8Array>; index: RecordingIndex },
  secrets: ReadonlySet<string>,
  writer: RecordingWriter,
): Promise<void> {
  // The longest are in front: what is left out is short.
  const looked = [...secrets].toSorted((one, other) => other.length - one.length).slice(0, secretsMax)
  const redactor = new Redactor(looked)
  const areAll = secrets.size <= secretsMax
  for await (const exchange of readRecording(recording.content, recording.index)) {
    const hidden = redactExchange(exchange, redactor)
    await writer.keep(areAll ? hidden : withoutSent(hidden))
  }
}

function withoutSent({ request, ...rest }: Exchange): Exchange {
  const body = request.body && { ...request.body, content: null, isCut: true }
  return { ...rest, request: { ...request, url: request.url.replace(/\?.*$/s, ''), headers: [], body } }
}
