import { catalogue } from '@flamegate/contract'
import type { Random } from '../fuzzing/random.ts'
import type { FuzzRequest } from './make-request.ts'
import type { Ids } from './schema-values.ts'
import { strangeText, strangeValue } from './strange-values.ts'
import { writtenJson } from './written-json.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'] as const

/** What is no operation and takes input all the same. */
const paths = [
  '/v1/badges/nothing.svg',
  '/v1/objects/../../x',
  '/v1/objects/x?signature=x&expires=x',
  '/v1/tools/__proto__',
  '/v1/tools/constructor',
  '/v1/tools/delete_project/confirmations',
  '/v1/shared/x',
  '/v1/shared/reports/x',
  '/v1/live-apps/x/otlp/v1/metrics',
  '/v1/live-apps/x/otlp/v1/logs',
  '/upload',
  '/upload/x',
  '/v1/projects/%00',
  '/v1/projects/%E0%A4%A',
  '/v1/projects/%2e%2e%2f',
  '/v1//projects',
  '/v1/projects/a/../../me',
  '/v1/projects?a[b]=c&a[]=d&__proto__[x]=1',
  '/v1/me?__proto__=1&constructor=2&=3&&&',
  '/mcp',
  '/mcp/x/nothing',
  '/mcp/w/nothing',
  '/mcp/w/__proto__/constructor',
  '/mcp/%2e%2e/auth',
  '/oauth/token',
  '/oauth/authorize?client_id=%00&redirect_uri=%00',
  '/oauth/device',
  '/oauth/reg',
  '/oauth/revoke',
  '/auth/session',
  '/auth/account',
  '/auth/verify-email',
  '/auth/passkeys/options',
  '/auth/log-in/passkey',
  '/auth/device/find',
  '/.well-known/oauth-authorization-server/%00',
  '/.well-known/oauth-protected-resource/mcp/x/y/z',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
] as const

const methodsOfMcp = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/read',
  'resources/list',
  'resources/templates/list',
  'prompts/get',
  'prompts/list',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/cancel',
  'tasks/result',
  'notifications/cancelled',
  'server/discover',
  'subscriptions/listen',
  '__proto__',
  '',
] as const

/** A request to something that is no operation, or by another method, or another message of MCP. */
export function strayRequest(
  random: Random,
  ids: Ids,
): Pick<FuzzRequest, 'method' | 'target' | 'headers' | 'body'> {
  const headers = { 'content-type': random.pick(['application/json', 'application/x-www-form-urlencoded']) }
  if (random.below(3) === 0) {
    const message = {
      jsonrpc: random.pick<unknown>(['2.0', '2.0', '2.0', '1.0', 2, null]),
      id: random.pick<unknown>([1, 'x', null, 1.5, {}, '']),
      method: random.pick<unknown>([...methodsOfMcp, 1, null]),
      params: random.pick<unknown>([
        strangeValue(random),
        { name: strangeText(random), arguments: strangeValue(random) },
        { uri: strangeText(random), cursor: strangeText(random), taskId: strangeValue(random) },
        { uri: `flamegate://run/${ids.get('run')?.[0] ?? ''}`, _meta: strangeValue(random) },
        {
          ref: { type: 'ref/prompt', name: strangeText(random) },
          argument: { name: 'x', value: strangeText(random) },
        },
      ]),
    }
    return {
      method: 'POST',
      target: '/mcp',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: Buffer.from(writtenJson(random.below(8) === 0 ? [message, message] : message)),
    }
  }
  const method = random.pick(methods)
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'TRACE' && random.below(3) > 0
  return {
    method,
    target: random.below(3) === 0 ? ofAnOperation(random) : random.pick(paths),
    headers: hasBody ? headers : {},
    body: hasBody
      ? Buffer.from(random.pick([writtenJson(strangeValue(random)), 'a=b&a=c&__proto__=1']))
      : undefined,
  }
}

function ofAnOperation(random: Random): string {
  return random
    .pick(catalogue)
    .http.path.replaceAll(/\{\w+\}/g, () =>
      random.pick(['x', '%00', '%FF', 'a%2Fb', '.', '%2E%2E', 'x'.repeat(500)]),
    )
}
