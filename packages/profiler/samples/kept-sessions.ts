// Keeps 5,000 sessions between two snapshots of its heap, and prints what was found of them.
import { MemoryProfiler } from '../src/index.ts'

class Session {
  readonly user: string
  constructor(user: string) {
    this.user = user
  }
}

const profiler = new MemoryProfiler()
const kept = [new Session('first')]
const before = await profiler.takeSnapshot()
for (let each = 0; each < 5000; each++) kept.push(new Session(`user ${each}`))
const after = await profiler.takeSnapshot()
const { leakedObjects, reachableGrowth } = profiler.compareSnapshots(before, after)
console.log(
  JSON.stringify({
    session: leakedObjects.find(({ name }) => name === 'Session'),
    kept: kept.length,
    reachableGrowth,
    unchanged: profiler.compareSnapshots(after, after).leakedObjects,
    usage: profiler.getCurrentUsage(),
  }),
)
