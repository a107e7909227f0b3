import { parentPort, workerData } from 'node:worker_threads'
import { LoadGenerator } from '@flamegate/loadtest-engine'
import { profileCounters, type Tick } from '@flamegate/series'
import { loadShard, type LoadedShard, type Share } from './load-plan.ts'
import type { FromThread, ThreadTask, ToThread } from './thread-messages.ts'

// Makes the part of a shard that one core can make: a thread, which `LoadThreads` starts.
if (parentPort === null) throw new TypeError('It is no thread')
const port = parentPort
const { shard: plan, share: firstShare, part }: ThreadTask = workerData
const stopping = new AbortController()
// What cannot be made is found out before the others begin.
let shard = loadShard(plan, firstShare, part)
let generator: LoadGenerator | undefined

port.on('message', (message: ToThread) => {
  if (message.type === 'stop') stopping.abort()
  else if (message.type === 'share') follow(message.share, message.elapsedMs)
  // What goes wrong ends the thread, and the one that started it hears of that.
  else void begin(message.startAt, message.share)
})
tell({ type: 'ready' })

async function begin(startAt: number, share: Share): Promise<void> {
  const begun = loadShard(plan, share, part)
  shard = begun
  generator = new LoadGenerator(
    { ...begun.plan, startAt, signal: stopping.signal },
    {
      onTick: (tick) => tell({ type: 'tick', tick: inScenario(tick, begun) }),
      onSample: (sample) =>
        tell({ type: 'sample', sample: { ...sample, profile: begun.places[sample.profile] ?? 0 } }),
    },
  )
  const { words } = await generator.run()
  tell({ type: 'done', words })
}

function follow(share: Share, elapsedMs: number): void {
  for (const index of shard.places.keys())
    generator?.setWantedUsers(index, shard.wantedUsers(index, share), shard.usersMax(index, share))
  shard.setShare(share, elapsedMs)
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
