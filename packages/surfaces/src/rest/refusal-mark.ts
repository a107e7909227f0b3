/**
 * The header by which the API tells the gateway which limit of the caller refused, so that it need not ask again for a moment
 * (`Problem.callerLimit`).
 */
export const refusalMarkHeader = 'x-flamegate-refused'
