import type { ExchangeBody, Redactor } from '@flamegate/loadtest'
import { decodeText, isText } from './body-text.ts'

const textCharactersMax = 2_000_000
const binaryBytesMax = 256_000

/** What may still be kept of the bodies of one action, so that a page with thousands of resources stays small. */
export interface BodyBudget {
  characters: number
}

export const newBodyBudget = (): BodyBudget => ({ characters: 20_000_000 })

/** No more of a body that is kept than there is room for; a part of what is no text would be nothing. */
export function cutBody(body: ExchangeBody, budget: BodyBudget): ExchangeBody {
  const { content, encoding } = body
  if (content === null) return body
  const isCut = content.length > budget.characters
  const kept = !isCut ? content : encoding === 'text' ? content.slice(0, budget.characters) : null
  budget.characters -= kept?.length ?? 0
  return isCut ? { ...body, content: kept, isCut } : body
}

/** A body as it is kept in an exchange: decoded, without secrets, and cut where it is too long. */
export function keepBody(
  bytes: Buffer,
  contentType: string | null,
  transferredBytes: number | null,
  redactor: Redactor,
  budget: BodyBudget,
): ExchangeBody {
  const isTextual = isText(bytes, contentType)
  const text = isTextual ? decodeText(bytes, contentType) : ''
  const content = isTextual
    ? redactor.redactStart(text, Math.min(textCharactersMax, budget.characters))
    : bytes.length <= Math.min(binaryBytesMax, budget.characters)
      ? redactor.redact(bytes.toString('base64'))
      : null
  const isCut = isTextual ? text.length > Math.min(textCharactersMax, budget.characters) : content === null
  budget.characters -= content?.length ?? 0
  return {
    contentType,
    sizeBytes: bytes.length,
    transferredBytes,
    content,
    encoding: isTextual ? 'text' : 'base64',
    isCut,
  }
}
