import { bytesOf, fieldsOf, nsOf, numberOf, textOf, type Fields } from './fields.ts'
import {
  distributionOf,
  distributions,
  entriesOf,
  idOf,
  known,
  labelOf,
  percentilesOf,
  placeOf,
  wordOf,
  type Found,
} from './found.ts'

/** Channels, streams and futures: of an answer each, or in one answer for all three. */

export function readChannels(body: Fields): Found[] {
  return entriesOf(body, 'channels').map((entry) => channelOf(entry, '/channels/'))
}

export function readStreams(body: Fields): Found[] {
  return entriesOf(body, 'streams').map((entry) => streamOf(entry, '/streams/'))
}

export function readFutures(body: Fields): Found[] {
  // The first generation calls both the list and the logs otherwise.
  const log = Array.isArray(body['futures']) ? 'calls' : 'logs'
  return entriesOf(body, 'futures').map((entry) => futureOf(entry, '/futures/', log))
}

export function readDataFlow(body: Fields): Found[] {
  return entriesOf(body).flatMap((entry) => {
    const type = textOf(entry, 'data_flow_type')
    if (type === 'channel') return [channelOf(entry, '/data_flow/channel/')]
    if (type === 'stream') return [streamOf(entry, '/data_flow/stream/')]
    return type === 'future' ? [futureOf(entry, '/data_flow/future/', 'logs')] : []
  })
}

function channelOf(entry: Fields, path: string): Found {
  const kind = wordOf(entry, 'channel_type', 'subtype')
  const sent = numberOf(entry, 'sent_count', 'primary_count')
  const received = numberOf(entry, 'received_count', 'secondary_count')
  return {
    section: 'channels',
    item: {
      ...commonOf(entry),
      kind,
      counters: known({ sent, received }),
      levels: known({
        queued: numberOf(entry, 'queue_size', 'queued', 'queue'),
        queued_max: numberOf(entry, 'max_queue_size', 'max_queued', 'max_queue'),
        capacity: numberOf({ capacity: /^bounded\[(\d+)\]$/.exec(kind ?? '')?.[1] }, 'capacity'),
        queued_bytes: bytesOf(entry, 'queued_bytes', 'queue_mem'),
        ...instancesOf(entry),
      }),
      distributions: distributions({
        delay: distributionOf({
          count: received,
          sampled: numberOf(entry, 'delay_sampled_count'),
          average: nsOf(entry, 'delay_avg'),
          percentiles: percentilesOf(fieldsOf(entry, 'delay_percentiles'), nsOf),
        }),
        processing: distributionOf({
          count: received,
          average: nsOf(entry, 'proc_avg'),
          percentiles: percentilesOf(fieldsOf(entry, 'proc_percentiles'), nsOf),
        }),
      }),
    },
    log: logOf(entry, path, 'logs', (sent ?? 0) + (received ?? 0)),
  }
}

function streamOf(entry: Fields, path: string): Found {
  const items = numberOf(entry, 'items_yielded', 'primary_count')
  return {
    section: 'streams',
    item: { ...commonOf(entry), counters: known({ items }), levels: known(instancesOf(entry)) },
    log: logOf(entry, path, 'logs', items ?? 0),
  }
}

function futureOf(entry: Fields, path: string, log: string): Found {
  const calls = numberOf(entry, 'call_count', 'primary_count')
  const polls = numberOf(entry, 'total_polls', 'secondary_count')
  const sampled = numberOf(entry, 'sampled_polls')
  const measured = numberOf(entry, 'total_poll_duration_ns')
  // What it tells is the time of those polls that were measured.
  const share = sampled === undefined || sampled === 0 ? 1 : Math.max(1, (polls ?? 0) / sampled)
  return {
    section: 'futures',
    item: {
      ...commonOf(entry),
      counters: known({ calls, polls }),
      distributions: distributions({
        poll: distributionOf({
          count: polls,
          sampled,
          total: measured === undefined ? undefined : measured * share,
        }),
        poll_allocated: distributionOf({ count: polls, total: bytesOf(entry, 'total_poll_alloc_bytes') }),
      }),
    },
    log: logOf(entry, path, log, (calls ?? 0) + (polls ?? 0)),
  }
}

function commonOf(entry: Fields) {
  const name = labelOf(entry)
  const typeName = wordOf(entry, 'type_name')
  return {
    id: idOf(entry, name),
    name,
    place: placeOf(entry),
    state: wordOf(entry, 'state'),
    texts: typeName === undefined ? undefined : { type_name: typeName },
  }
}

function instancesOf(entry: Fields) {
  return { instances: numberOf(entry, 'instances'), closed_instances: numberOf(entry, 'closed_instances') }
}

function logOf(entry: Fields, path: string, log: string, moved: number): Found['log'] {
  const id = textOf(entry, 'id')
  return id === undefined ? undefined : { path: `${path}${encodeURIComponent(id)}/${log}`, moved }
}
