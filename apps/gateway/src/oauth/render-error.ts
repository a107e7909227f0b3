import type { FastifyReply } from 'fastify'
import type { Configuration } from 'oidc-provider'

/** The page (or JSON, for programs) for a request that cannot be answered by going back to the client. */
export const renderError: NonNullable<Configuration['renderError']> = (context, out) => {
  context.set('cache-control', 'no-store')
  if (context.accepts('json', 'html') !== 'html') {
    context.body = out
    return
  }
  context.type = 'html'
  context.set('content-security-policy', pagePolicy)
  context.body = errorPage(out.error, out.error_description)
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
