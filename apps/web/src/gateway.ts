import { ApiUnreachable, readProblem } from '@flamegate/client'

/** Asks one of the gateway's endpoints that are about this browser and its person, and are no operations. */
export function ask(path: string, signal: AbortSignal): Promise<string> {
  return send(path, { signal })
}

/** Tells one of them something, as JSON; gives the body of the answer. */
export function tell(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body: object,
): Promise<string> {
  return send(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
}

async function send(path: string, init: RequestInit): Promise<string> {
  const response = await fetch(path, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw new ApiUnreachable('The server could not be reached.', { cause })
  })
  if (!response.ok) throw await readProblem(response)
  return response.text()
}
