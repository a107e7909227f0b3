import type { CorrelationRule } from '../model/correlation-rule.ts'
import type { HttpServer } from '../model/http-server.ts'
import type { Variable } from '../model/variable.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import type { Exchange } from '../recording/exchange.ts'
import type { ImportReport } from './report.ts'

export type NewIdKind = 'action' | 'virtualUser' | 'httpServer' | 'variable' | 'correlationRule'

/** What the person who imports chose. Each importer takes what means something for its format. */
export interface ImportOptions {
  /** Name of the virtual user; that of the source when absent. */
  name?: string | undefined
  thinkTimes: 'recorded' | 'none'
  /** Longer pauses are cut to this. */
  thinkTimeMaxMs: number
  /** A pause that is as long begins a new container. */
  containerGapMs: number
  /** What a page loads beside itself: listed under it, as requests of their own with a tag in the name, or left out. */
  resources: 'embedded' | 'requests' | 'dropped'
  /** Times of the recording, with the name of the container that begins there. */
  timeline: readonly { at: string; name: string }[]
  /** Tests of a browser become `page` actions, or HTTP requests where they can. */
  browser: 'page' | 'http'
  /** What relative addresses are relative to: `https://shop.example.com`. */
  baseUrl?: string | undefined
}

export interface ImportContext {
  /** Ids are made outside, so that tests can know them. */
  newId: (kind: NewIdKind) => string
  /** Keeps an exchange of the recording; gives its place, counted from 0. */
  keep: (exchange: Exchange) => Promise<number>
  /** Tells of a password that the source has: the recording is kept without it, wherever it stands. */
  hide: (secret: string) => void
  /** Whether requests may go to this host, as URL.host tells it; those to others are imported disabled. */
  isVerified: (host: string) => boolean
}

export interface ImportedFile {
  path: string
  contentType: string
  bytes: Uint8Array
}

export interface Identified<Document> {
  id: string
  document: Document
}

/** What came of a source. Nothing of it is stored yet; ids in it refer to each other. */
export interface Imported {
  virtualUsers: Identified<VirtualUser>[]
  servers: Identified<HttpServer>[]
  variables: Identified<Variable>[]
  rules: Identified<CorrelationRule>[]
  files: ImportedFile[]
  report: ImportReport
}

/** Reads a source as it comes; rejects with a SourceError when it cannot. */
export type Importer = (
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
  context: ImportContext,
) => Promise<Imported>

export const defaultImportOptions: ImportOptions = {
  thinkTimes: 'recorded',
  thinkTimeMaxMs: 60_000,
  containerGapMs: 2000,
  resources: 'embedded',
  timeline: [],
  browser: 'page',
}

/** A source that cannot be read: what is wrong, where, and what to do. */
export class SourceError extends Error {
  readonly place: string | undefined

  constructor(message: string, place?: string) {
    super(place === undefined ? message : `${place}: ${message}`)
    this.place = place
  }
}
