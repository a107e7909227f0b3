import type { CustomFetch } from 'openid-client'
import { z } from 'zod'

/**
 * Shows a client's secret in the body of what is sent, as `openid-client` does it, and where the client is refused so, in a header:
 * a provider takes the one that a client is set up for there, of which its configuration says nothing. Who refuses a client has
 * not looked at the code (RFC 6749, 5.2).
 */
export function eitherWay(fetch: CustomFetch): CustomFetch {
  return async (url, options) => {
    const answer = await fetch(url, options)
    const form = options.body instanceof URLSearchParams ? options.body : new URLSearchParams()
    const secret = form.get('client_secret')
    if (secret === null || !(await refusesClient(answer))) return answer
    const rest = new URLSearchParams([...form].filter(([name]) => !/^client_(?:id|secret)$/.test(name)))
    const authorization = basicOf(form.get('client_id') ?? '', secret)
    const again = await fetch(url, {
      ...options,
      headers: { ...options.headers, authorization },
      body: rest,
    })
    return (await refusesClient(again)) ? answer : again
  }
}

const refusal = z.object({ error: z.enum(['invalid_client', 'unauthorized_client']) })

async function refusesClient(answer: Response): Promise<boolean> {
  if (answer.ok) return false
  if (answer.status === 401) return true
  const said: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined)
  return refusal.safeParse(said).success
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function basicOf(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${asForm(id)}:${asForm(secret)}`).toString('base64')}`
}

function asForm(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
