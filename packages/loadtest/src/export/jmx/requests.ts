import type { HttpRequest } from '../../model/action.ts'
import type { HttpServer } from '../../model/http-server.ts'
import type { RequestBody } from '../../model/request.ts'
import { templateParts } from '../../model/template-parts.ts'
import type { Field } from '../../model/template.ts'
import { toAssertion } from './assertions.ts'
import { toExtractor } from './extractors.ts'
import { collection, item, property, type TestElement, testElement, type XmlElement } from './jmx-writer.ts'
import { noteFor, plain, reference, toJmeter, type Work } from './work.ts'

const text = (name: string, value: string) => property('string', name, value)
const flag = (name: string, value: boolean) => property('bool', name, value)

/** Methods whose parameters JMeter writes into the address. */
const inAddress = new Set(['GET', 'DELETE', 'OPTIONS'])

export function toSampler(work: Work, action: HttpRequest): TestElement {
  const note = noteFor(work, action.id)
  const server = work.servers.get(action.server_id)
  if (server === undefined) note('Its server is not known: the sampler has none.')
  const place = server === undefined ? { protocol: '', domain: '', port: '', path: '' } : placeOf(server)
  const { method, body } = action
  const areParameters = body === null && inAddress.has(method)
  const pairs = areParameters ? '' : queryOf(work, action.query)
  const query = pairs === '' ? '' : `${action.path.includes('?') ? '&' : '?'}${pairs}`
  const timeoutMs =
    action.timeout_ms ?? (server === undefined || server.timeout_ms === 120_000 ? null : server.timeout_ms)
  const connectMs =
    server === undefined || server.connect_timeout_ms === 30_000 ? null : server.connect_timeout_ms
  const { mode, parallel, list } = action.resources
  if (mode === 'listed' && list.length > 0)
    note(`JMeter cannot be told which ${list.length} resources are embedded: they are left out.`)
  if (action.redirects.max !== 20) note('How many redirects are followed is a property of JMeter.')

  return testElement(
    'HTTPSamplerProxy',
    'HttpTestSampleGui',
    action.name,
    [
      text('HTTPSampler.domain', toJmeter(work, place.domain)),
      text('HTTPSampler.port', toJmeter(work, place.port)),
      text('HTTPSampler.protocol', place.protocol),
      text('HTTPSampler.contentEncoding', 'UTF-8'),
      text('HTTPSampler.path', `${toJmeter(work, `${place.path}${action.path}`)}${query}`),
      text('HTTPSampler.method', method),
      flag('HTTPSampler.follow_redirects', action.redirects.follow),
      flag('HTTPSampler.auto_redirects', false),
      flag('HTTPSampler.use_keepalive', true),
      flag('HTTPSampler.DO_MULTIPART_POST', body?.type === 'multipart'),
      text('HTTPSampler.connect_timeout', connectMs === null ? '' : String(connectMs)),
      text('HTTPSampler.response_timeout', timeoutMs === null ? '' : String(timeoutMs)),
      ...(mode === 'parsed'
        ? [
            flag('HTTPSampler.image_parser', true),
            flag('HTTPSampler.concurrentDwn', true),
            text('HTTPSampler.concurrentPool', String(parallel)),
          ]
        : []),
      ...sentOf(work, action, areParameters, note),
    ],
    [
      ...headersOf(work, action, server),
      ...action.extractors.map((extractor) => toExtractor(work, extractor, note)),
      ...action.assertions.flatMap((assertion) => toAssertion(work, assertion, note)),
    ],
  )
}

function placeOf({ base_url: url }: HttpServer): {
  protocol: string
  domain: string
  port: string
  path: string
} {
  const [, protocol = 'http', host = '', port = '', path = ''] =
    /^(https?):\/\/(\[[^\]]*\]|(?:\$\{[^{}]*\}|[^:/])*)(?::([^/]*))?(\/.*)?$/i.exec(url) ?? []
  return { protocol: protocol.toLowerCase(), domain: host, port, path: path.replace(/\/$/, '') }
}

/** Encoded, with the values of variables encoded when they are known. */
function queryOf(work: Work, query: readonly Field[]): string {
  const encoded = (template: string) =>
    templateParts(template)
      .map((part) =>
        typeof part === 'string'
          ? encodeURIComponent(part.toWellFormed())
          : `\${__urlencode(${work.inline.get(part.name) ?? reference(part)})}`,
      )
      .join('')
  return query.map(({ name, value }) => `${encoded(name)}=${encoded(value)}`).join('&')
}

function argument(work: Work, { name, value }: Field, contentType: string | null): XmlElement {
  return item(toJmeter(work, name), 'HTTPArgument', [
    flag('HTTPArgument.always_encode', true),
    text('Argument.name', toJmeter(work, name)),
    text('Argument.value', toJmeter(work, value)),
    text('Argument.metadata', '='),
    flag('HTTPArgument.use_equals', true),
    ...(contentType === null ? [] : [text('HTTPArgument.content_type', contentType)]),
  ])
}

function argumentsProperty(items: readonly XmlElement[]): XmlElement {
  return {
    tag: 'elementProp',
    attributes: [
      ['name', 'HTTPsampler.Arguments'],
      ['elementType', 'Arguments'],
      ['guiclass', 'HTTPArgumentsPanel'],
      ['testclass', 'Arguments'],
      ['testname', 'User Defined Variables'],
      ['enabled', 'true'],
    ],
    content: [collection('Arguments.arguments', items)],
  }
}

function raw(value: string): XmlElement[] {
  return [
    flag('HTTPSampler.postBodyRaw', true),
    item('HTTPsampler.Arguments', 'Arguments', [
      collection('Arguments.arguments', [
        item('', 'HTTPArgument', [
          flag('HTTPArgument.always_encode', false),
          text('Argument.value', value),
          text('Argument.metadata', '='),
        ]),
      ]),
    ]),
  ]
}

function sentOf(
  work: Work,
  { body, query }: HttpRequest,
  areParameters: boolean,
  note: (text: string) => void,
): XmlElement[] {
  if (body === null)
    return [argumentsProperty(areParameters ? query.map((field) => argument(work, field, null)) : [])]
  switch (body.type) {
    case 'raw':
    case 'json':
      return raw(toJmeter(work, body.text))
    case 'form':
      return [argumentsProperty(body.fields.map((field) => argument(work, field, null)))]
    case 'multipart':
      return multipart(work, body, note)
    case 'file':
      note(`Put ${body.path} beside the plan.`)
      return [argumentsProperty([]), files([file(body.path, '', body.content_type)])]
    default:
      note('A body that is no text cannot stand in a plan: it is left out.')
      return [argumentsProperty([])]
  }
}

function multipart(
  work: Work,
  { parts }: Extract<RequestBody, { type: 'multipart' }>,
  note: (text: string) => void,
): XmlElement[] {
  const firstFile = parts.findIndex(({ type }) => type === 'file')
  if (firstFile !== -1 && parts.slice(firstFile).some(({ type }) => type === 'field'))
    note('JMeter sends the fields first, and then the files.')
  const fields = parts.flatMap((part) =>
    part.type === 'field' ? [argument(work, part, part.content_type)] : [],
  )
  const sent = parts.flatMap((part) => {
    if (part.type !== 'file') return []
    note(`Put ${part.path} beside the plan.`)
    if (part.file_name !== null) note(`The server is told the name of ${part.path}, not ${part.file_name}.`)
    return [file(part.path, toJmeter(work, part.name), part.content_type)]
  })
  return [argumentsProperty(fields), ...(sent.length === 0 ? [] : [files(sent)])]
}

function files(items: readonly XmlElement[]): XmlElement {
  return item('HTTPsampler.Files', 'HTTPFileArgs', [collection('HTTPFileArgs.files', items)])
}

function file(path: string, name: string, type: string): XmlElement {
  return item(plain(path), 'HTTPFileArg', [
    text('File.path', plain(path)),
    text('File.paramname', name),
    text('File.mimetype', plain(type)),
  ])
}

/** Headers of the server that the request has not itself, its own, and the type of its body. */
function headersOf(
  work: Work,
  { headers, body }: HttpRequest,
  server: HttpServer | undefined,
): TestElement[] {
  const names = new Set(headers.map(({ name }) => name.toLowerCase()))
  const token = server?.authentication.type === 'bearer' ? server.authentication.token : undefined
  const type = body !== null && 'content_type' in body && body.type !== 'file' ? body.content_type : null
  const all = [
    ...(server?.headers ?? []).filter(({ name }) => !names.has(name.toLowerCase())),
    ...(token === undefined || names.has('authorization')
      ? []
      : [{ name: 'Authorization', value: `Bearer ${token}` }]),
    ...headers,
    ...(type === null || names.has('content-type') ? [] : [{ name: 'Content-Type', value: type }]),
  ]
  return all.length === 0 ? [] : [headerManager(work, 'HTTP Header Manager', all)]
}

export function headerManager(work: Work, name: string, headers: readonly Field[]): TestElement {
  const items = headers.map((header) =>
    item('', 'Header', [
      text('Header.name', toJmeter(work, header.name)),
      text('Header.value', toJmeter(work, header.value)),
    ]),
  )
  return testElement('HeaderManager', 'HeaderPanel', name, [collection('HeaderManager.headers', items)])
}
