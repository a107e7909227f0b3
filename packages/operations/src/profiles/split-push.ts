import { Problem } from '@flamegate/contract'
import { FormatError, splitByService } from '@flamegate/profiles'

/**
 * Takes what a collector of OpenTelemetry exports apart, a message for each service.
 * @throws Problem `malformed_request`
 */
export function splitPush(bytes: Uint8Array): { service: string; content: Uint8Array }[] {
  try {
    return splitByService(bytes)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new Problem('malformed_request', error.message, { cause: error })
  }
}
