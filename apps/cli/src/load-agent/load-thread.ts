import { parentPort, workerData } from 'node:worker_threads'
import { RequestLogWriter } from '@flamegate/loadtest/request-log'
import { LoadBrowser, LoadGenerator, type RequestLog } from '@flamegate/loadtest-engine'
import { profileCounters, type Tick } from '@flamegate/series'
import { browserFault } from './browser-users.ts'
import { loadShard, type LoadedShard, type Share } from './load-plan.ts'
import type { FromThread, ThreadTask, ToThread } from './thread-messages.ts'

// Makes the part of a shard that one core can make: a thread, which `LoadThreads` starts.
if (parentPort === null) throw new TypeError('It is no thread')
const port = parentPort
const { shard: plan, share: firstShare, part, browserUsersMax }: ThreadTask = workerData
const stopping = new AbortController()
/** So many bytes of rows are told before their second is over. */
const frameBytesMax = 250_000
// What cannot be made is found out before the others begin.
let shard = loadShard(plan, firstShare, part)
/** Which share of the users is made here: not always that of the load, since a browser has room for so many. */
let shareOfUsers = firstShare
let generator: LoadGenerator | undefined

port.on('message', (message: ToThread) => {
  if (message.type === 'stop') stopping.abort()
  else if (message.type === 'share') follow(message.share, message.elapsedMs)
  // What goes wrong ends the thread, and the one that started it hears of that.
  else void begin(message)
})
const browser = part.users === 'with_pages' ? await openBrowser() : undefined
tell({ type: 'ready' })

const requests = new RequestLogWriter(part.thread)
const requestLog: RequestLog = {
  add: (row) => {
    requests.add(row)
    if (requests.byteLength > frameBytesMax) tellRequests()
  },
}

function tellRequests(): void {
  const { rows } = requests
  const frame = requests.take()
  if (frame === undefined) return
  const message: FromThread = { type: 'requests', frame, rows }
  port.postMessage(message, [frame.buffer])
}

async function begin({ startAt, share, dealt }: Extract<ToThread, { type: 'begin' }>): Promise<void> {
  const begun = loadShard(plan, share, part, dealt)
  shard = begun
  generator = new LoadGenerator(
    { ...begun.plan, browser, startAt, signal: stopping.signal },
    {
      onTick: (tick) => {
        tell({ type: 'tick', tick: inScenario(tick, begun) })
        tellRequests()
      },
      onSample: (sample) =>
        tell({ type: 'sample', sample: { ...sample, profile: begun.places[sample.profile] ?? 0 } }),
      onPageLoad: (load) =>
        tell({ type: 'page_load', load: { ...load, profile: begun.places[load.profile] ?? 0 } }),
      onPageTrace: begun.tracesPages
        ? (trace) =>
            tell({ type: 'page_trace', trace: { ...trace, profile: begun.places[trace.profile] ?? 0 } })
        : undefined,
      requestLog: begun.logsRequests ? requestLog : undefined,
    },
  )
  const { words, outOfRows } = await generator.run()
  await browser?.close()
  tellRequests()
  const profiles = begun.places.map((profile, index) => ({ profile, outOfRows: outOfRows[index] ?? null }))
  tell({ type: 'done', words, profiles })
}

/** One for all users with pages. @throws Error in words for whoever reads of the run */
async function openBrowser(): Promise<LoadBrowser> {
  const { profiles, gate } = shard.plan
  const users = profiles.reduce((sum, { model }) => sum + model.usersMax, 0)
  const fault = browserFault(users, browserUsersMax)
  if (fault !== undefined) throw new Error(fault)
  return LoadBrowser.open(gate, browserUsersMax)
}

function follow(share: Share, elapsedMs: number): void {
  // First, since open loads are asked for their arrivals anew.
  shard.setShare(share, elapsedMs)
  if (hasRoomFor(share)) shareOfUsers = share
  for (const index of shard.places.keys())
    generator?.setWantedUsers(
      index,
      shard.wantedUsers(index, shareOfUsers),
      shard.usersMax(index, shareOfUsers),
    )
}

/** More users than the browser has room for would fail, one after the other. */
function hasRoomFor(share: Share): boolean {
  if (part.users !== 'with_pages') return true
  const users = shard.places.reduce((sum, _place, index) => sum + shard.usersMax(index, share), 0)
  return browserFault(users, browserUsersMax) === undefined
}

/** Profiles are counted as the scenario counts them, of which an agent may have some. */
function inScenario(tick: Tick, { places, profilesCount }: LoadedShard): Tick {
  const profiles = Array.from(
    { length: profilesCount },
    (): Float64Array => new Float64Array(profileCounters.length),
  )
  for (const [index, counters] of tick.profiles.entries()) profiles[places[index] ?? 0] = counters
  return {
    ...tick,
    actions: tick.actions.map((action) => ({ ...action, profile: places[action.profile] ?? 0 })),
    profiles,
  }
}

function tell(message: FromThread): void {
  port.postMessage(message)
}
