import type { Provider } from 'oidc-provider'

/**
 * Lets the page of `response_mode=form_post`, which brings the answer to the client as a form, send it there: the policy of our pages
 * lets forms go to ourselves alone.
 */
export function letFormsGoToClients(provider: Provider): void {
  provider.use(async (context, next) => {
    await next()
    const policy = context.response.get('content-security-policy')
    if (policy === '' || context.oidc?.params?.['response_mode'] !== 'form_post') return
    const directives = policy.split(';').filter((directive) => !directive.trim().startsWith('form-action '))
    context.set('content-security-policy', directives.join(';'))
  })
}
