import type { FastifyReply } from 'fastify'
import type { Configuration } from 'oidc-provider'

/** The page (or JSON, for programs) for a request that cannot be answered by going back to the client. */
export const renderError: NonNullable<Configuration['renderError']> = (context, out) => {
  context.set('cache-control', 'no-store')
  const clientId = context.query['client_id']
  const description =
    out.error_description === documentNotRead && typeof clientId === 'string' && URL.canParse(clientId)
      ? whereDocumentIsMissing(new URL(clientId).host)
      : out.error_description
  if (context.accepts('json', 'html') !== 'html') {
    context.body = { ...out, error_description: description }
    return
  }
  context.type = 'html'
  context.set('content-security-policy', pagePolicy)
  context.body = errorPage(out.error, description)
}

/** What oidc-provider says of a client whose id is an address at which it found no metadata. */
const documentNotRead = 'client_id metadata document fetch failed'

function whereDocumentIsMissing(host: string): string {
  return `This app names itself by a document at ${host}, which Flamegate could not read there. Try again in a moment. If it stays so, ask who runs this Flamegate to let its gateway reach ${host}, or to set FLAMEGATE_CLIENT_DOCUMENTS=off, so that apps register in place of it; then start again from the app.`
}

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Answers with the same page, whose status is set already. */
export function sendErrorPage(reply: FastifyReply, error: string, description?: string): FastifyReply {
  return reply
    .type('text/html')
    .header('content-security-policy', pagePolicy)
    .send(errorPage(error, description))
}

/** A page that needs nothing else: no script, no font, no picture. */
function errorPage(error: string, description = 'Start again from the app that sent you here.'): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This did not work – Flamegate</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1.25rem }
  code { font-size: .9rem; opacity: .75 }
</style>
<h1>This did not work</h1>
<p>${escapeHtml(description)}</p>
<p><code>${escapeHtml(error)}</code></p>
</html>
`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
