/** What the gateway found out about a call that it passes on, and the audit log says; and how it wants the answer. */
export interface CallMarks {
  /** It was named to `call_tool`. */
  isHandedOn?: boolean | undefined
  /** Only `given` lets it be done; everything else is for the audit log. */
  confirmation?: Confirmation | undefined
  /** The gateway itself reads the answer, and no agent: it is wanted as data, whatever its size. */
  isForGateway?: boolean | undefined
}

const confirmations = ['required', 'declined', 'mismatch', 'given'] as const
type Confirmation = (typeof confirmations)[number]

/** The header in which the gateway tells the API; it counts only beside a caller assertion. */
export const callMarksHeader = 'x-flamegate-call'

/** Undefined when there is nothing to tell. */
export function writeCallMarks(marks: CallMarks): string | undefined {
  const { isHandedOn = false, confirmation, isForGateway = false } = marks
  const words = [
    ...(isHandedOn ? ['handed-on'] : []),
    ...(confirmation === undefined ? [] : [confirmation]),
    ...(isForGateway ? ['for-gateway'] : []),
  ]
  return words.length === 0 ? undefined : words.join(', ')
}

export function readCallMarks(text: string): CallMarks {
  const words = text.split(', ')
  return {
    isHandedOn: words.includes('handed-on'),
    confirmation: confirmations.find((each) => words.includes(each)),
    isForGateway: words.includes('for-gateway'),
  }
}

/**
 * Where a call is asked for at the API. One that is not to be done yet has an address of its own, so that an API that
 * does not know about it cannot do it by mistake.
 */
export function callPath(operationId: string, { confirmation }: CallMarks): string {
  const isPending = confirmation !== undefined && confirmation !== 'given'
  return `/v1/tools/${operationId}${isPending ? '/confirmations' : ''}`
}
