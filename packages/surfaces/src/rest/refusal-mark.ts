/**
 * The header by which the API tells the gateway that a refusal is about the caller and the operation alone, so that it need not ask
 * again for a moment (`Problem.isOfCaller`).
 */
export const refusalMarkHeader = 'x-flamegate-refused'
export const refusedCaller = 'caller'
