import type { HttpRequest } from '../../model/action.ts'
import { httpMethods } from '../../model/request.ts'
import { withContentType } from '../content-type.ts'
import { SourceError } from '../importer.ts'
import { readAssertions } from './assertions.ts'
import { readExtractors } from './extractors.ts'
import { readHeaders } from './headers.ts'
import type { JmxElement } from './jmx-element.ts'
import { milliseconds, type Option, optionsOf } from './sampler-options.ts'
import { appliedTo, isOwn, type Scope } from './scope.ts'
import { readSent } from './sent.ts'
import { readTarget } from './target.ts'
import { commonOf, noteOf, type Work } from './work.ts'

/** The request that an HTTP sampler sends, with all that applies to it. */
export function readRequest(work: Work, sampler: JmxElement, scope: Scope): HttpRequest {
  const note = noteOf(work, sampler)
  const configs = appliedTo(work, scope, 'config')
  const defaults = configs.filter(({ guiClass }) => guiClass.endsWith('HttpDefaultsGui')).toReversed()
  const option = optionsOf(sampler, defaults)
  const common = commonOf(work, sampler)
  for (const element of defaults) work.fates.mapped(element, common.id)

  const method = readMethod(work, sampler, option)
  const target = readTarget(work, sampler, option)
  const headers = readHeaders(work, configs, scope, common.id)
  const sent = readSent(work, sampler, option, method.name, defaults)
  const refusal = method.refusal ?? target.refusal
  if (refusal !== null) note(refusal)
  tellOptions(option, note)
  work.fates.mapped(sampler, common.id)
  return {
    type: 'http_request',
    ...common,
    enabled: common.enabled && refusal === null,
    method: method.name,
    server_id: target.serverId,
    path: target.path,
    query: limited([...target.query, ...sent.query], 1000, 'query parameters', sampler),
    ...withContentType(sent.body, headers),
    redirects: {
      follow: option('follow_redirects') === 'true' || option('auto_redirects') === 'true',
      max: 20,
      recorded: [],
    },
    timeout_ms: milliseconds(work.texts.resolve(option('response_timeout')) ?? ''),
    resources: {
      mode: option('image_parser') === 'true' ? 'parsed' : 'none',
      parallel: parallelOf(option),
      list: [],
    },
    extractors: limited(extractorsOf(work, scope, common.id), 200, 'extractors', sampler),
    assertions: limited(assertionsOf(work, scope, common.id), 200, 'assertions', sampler),
    recorded: null,
    disabled_reason: refusal,
  }
}

function limited<Item>(items: Item[], max: number, what: string, { place }: JmxElement): Item[] {
  if (items.length > max) throw new SourceError(`It has more than ${max} ${what}.`, place)
  return items
}

function readMethod(
  work: Work,
  sampler: JmxElement,
  option: Option,
): { name: HttpRequest['method']; refusal: string | null } {
  const written = sampler.type === 'SoapSampler' ? 'POST' : option('method') || 'GET'
  const text = (work.texts.resolve(written) ?? written).trim().toUpperCase()
  const name = httpMethods.find((method) => method === text)
  if (name !== undefined) return { name, refusal: null }
  return { name: 'GET', refusal: `The method ${written.slice(0, 100)} cannot be sent: choose another one.` }
}

function parallelOf(option: Option): number {
  if (option('image_parser') !== 'true') return 6
  if (option('concurrentDwn') !== 'true') return 1
  const pool = Number(option('concurrentPool') || '6')
  return Number.isInteger(pool) && pool >= 1 ? Math.min(pool, 32) : 6
}

/** Options that change what is sent, for which there is no place. */
function tellOptions(option: Option, note: (text: string) => void): void {
  const encoding = option('contentEncoding').trim()
  if (encoding !== '' && !/^(?:utf-?8|\$\{.*)$/i.test(encoding))
    note(`Texts are sent in UTF-8, not in ${encoding.slice(0, 40)}.`)
  if (option('use_keepalive') === 'false') note('Connections are kept open for the next request.')
  if (option('embedded_url_re') !== '' || option('embedded_url_exclude_re') !== '')
    note('All embedded resources are asked for, whatever their addresses.')
  if (option('proxyHost') !== '') note('It goes to the server without a proxy.')
  if (option('ipSource') !== '') note('It goes out from any address.')
  if (option('md5') === 'true') note('Bodies are kept as they are, without MD5.')
}

function extractorsOf(work: Work, scope: Scope, actionId: string): HttpRequest['extractors'] {
  return appliedTo(work, scope, 'post_processor').flatMap((element) => {
    const extractors = readExtractors(work, element, !isOwn(scope, element))
    if (extractors.length > 0) work.fates.mapped(element, actionId)
    return extractors
  })
}

function assertionsOf(work: Work, scope: Scope, actionId: string): HttpRequest['assertions'] {
  return appliedTo(work, scope, 'assertion').flatMap((element) => {
    const assertions = readAssertions(work, element)
    if (assertions.length > 0) work.fates.mapped(element, actionId)
    return assertions
  })
}
