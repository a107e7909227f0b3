import { Problem } from '@flamegate/contract'

const openBrace = 0x7b
const openBracket = 0x5b

/**
 * A body of JSON.
 * @param containersMax objects and lists, which take far longer to read than their bytes
 * @throws Problem `too_large`, `malformed_request`
 */
export function jsonBody(body: Uint8Array, containersMax: number): unknown {
  if (countContainers(body) > containersMax) {
    throw new Problem('too_large', `The body has more than ${containersMax} objects and lists.`)
  }
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch (cause) {
    throw new Problem('malformed_request', 'The body is no JSON.', { cause })
  }
}

function countContainers(body: Uint8Array): number {
  let count = 0
  for (let index = 0; index < body.length; index++) {
    if (body[index] === openBrace || body[index] === openBracket) count++
  }
  return count
}
