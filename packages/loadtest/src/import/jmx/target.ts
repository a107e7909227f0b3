import type { Field } from '../../model/template.ts'
import { type Address, splitAddress } from '../address.ts'
import { whyDisabled } from '../disabled-hosts.ts'
import { SourceError } from '../importer.ts'
import { type JmxElement, textOf } from './jmx-element.ts'
import { milliseconds, type Option } from './sampler-options.ts'
import { noteOf, type Work } from './work.ts'

const noServer = 'http://server.invalid'
const serversMax = 1000

/** Where a request goes. */
export interface Target {
  serverId: string
  path: string
  query: Field[]
  /** Why the request is disabled; null where it is not. */
  refusal: string | null
}

/** The server and the address of a sampler; hosts that may not be asked, or are not said, are a refusal. */
export function readTarget(work: Work, sampler: JmxElement, option: Option): Target {
  const address = readAddress(work, sampler, option)
  if (address === undefined || address.origin.length > 2000)
    return {
      serverId: work.servers.idOf(noServer),
      path: work.texts.template(pathOf(sampler, option).slice(0, 100_000), noteOf(work, sampler)) || '/',
      query: [],
      refusal: 'The plan names no server for it: choose one, and enable it.',
    }
  const { origin, path, query } = address
  const serverId = work.servers.idOf(origin)
  if (work.servers.all().length > serversMax)
    throw new SourceError(`It goes to more than ${serversMax} servers.`, sampler.place)
  if (address.user !== null) noteOf(work, sampler)('Give its user and password to the server.')
  tellTimeout(work, sampler, serverId, option)
  const host = address.host ?? hostOf(work, sampler, option)
  // Properties that are given when JMeter starts often name the host: what is known only then stays enabled.
  const refusal = host === null ? null : whyDisabled(host, work.context)
  return { serverId, path, query, refusal }
}

function pathOf(sampler: JmxElement, option: Option): string {
  return sampler.type === 'SoapSampler' ? textOf(sampler.properties, 'SoapSampler.URL_DATA') : option('path')
}

/** Path and domain of the sampler; a path may be a whole address, and so may be a variable in its place. */
function readAddress(work: Work, sampler: JmxElement, option: Option): Address | undefined {
  const note = noteOf(work, sampler)
  const path = pathOf(sampler, option).trim()
  const written = isAddress(path) ? path : undefined
  const resolved = work.texts.resolve(path)
  const domain = option('domain').trim()
  if (written !== undefined) return splitAddress(withoutSpaces(work.texts.template(written, note)))
  if (domain === '' && resolved !== undefined && isAddress(resolved)) return splitAddress(resolved)
  const base =
    domain === ''
      ? work.options.baseUrl
      : `${schemeOf(work, option, note)}://${authorityOf(work, option, note)}`
  if (base === undefined) return undefined
  const template = withoutSpaces(work.texts.template(path, note))
  return splitAddress(`${base.replace(/\/+$/, '')}${template.startsWith('/') ? '' : '/'}${template}`)
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function withoutSpaces(template: string): string {
  return template.replaceAll(/\s/g, (space) => encodeURIComponent(space))
}

function schemeOf(work: Work, option: Option, note: (text: string) => void): string {
  const written = option('protocol').trim() || 'http'
  const scheme = work.texts.resolve(written)?.trim().toLowerCase()
  if (scheme === 'http' || scheme === 'https') return scheme
  note(`The protocol ${written.slice(0, 100)} is taken for http.`)
  return 'http'
}

function authorityOf(work: Work, option: Option, note: (text: string) => void): string {
  const host = work.texts.template(option('domain').trim(), note)
  const written = option('port').trim()
  const port =
    written === '' || written === '-1' || written === '0' ? '' : `:${work.texts.template(written, note)}`
  return `${host.includes(':') && !host.includes('[') && /^[\da-f:.]+$/i.test(host) ? `[${host}]` : host}${port}`
}

/** Host of a server whose address has variables with known values; null where it is known only when the test runs. */
function hostOf(work: Work, sampler: JmxElement, option: Option): string | null {
  const path = work.texts.resolve(pathOf(sampler, option).trim())
  if (path !== undefined && isAddress(path)) return URL.parse(path)?.host ?? null
  const domain = work.texts.resolve(option('domain').trim())
  const port = work.texts.resolve(option('port').trim())
  if (domain === undefined || port === undefined) return null
  const scheme = schemeOf(work, option, () => {})
  const url = `${scheme}://${domain}${port === '' ? '' : `:${port}`}/`
  return URL.parse(url)?.host ?? null
}

/** Servers have one limit for connections; the first one that is named counts. */
function tellTimeout(work: Work, sampler: JmxElement, serverId: string, option: Option): void {
  const connectMs = milliseconds(work.texts.resolve(option('connect_timeout')) ?? '')
  const server = work.servers.all().find(({ id }) => id === serverId)
  if (connectMs === null || server === undefined) return
  const limit = Math.min(connectMs, 600_000)
  if (server.document.connect_timeout_ms === 30_000) server.document.connect_timeout_ms = limit
  else if (server.document.connect_timeout_ms !== limit)
    noteOf(work, sampler)('Its time limit for connections is that of the server.')
}
