import type { SampleType } from '../profile.ts'
import type { FirefoxSamples, FirefoxThread } from './firefox-thread.ts'
import { isObject, type JsonObject, type JsonReader } from './json.ts'

/** Samples of one kind, and the values of each row in the order of the profile's sample types. */
interface FirefoxValues {
  samples: FirefoxSamples
  /** The list is the same for every row; it is to be read at once. */
  valuesOf: (row: number) => readonly number[]
  /** Not so for allocations: they are not counted and have no place in the timeline. */
  isSample: boolean
}

/** Which sample types the threads have between them, and what of a thread belongs to which. */
export class FirefoxSampleTypes {
  readonly sampleTypes: SampleType[]
  readonly intervalMs: number
  private readonly cpu: SampleType
  private readonly cpuPerDelta: number

  constructor(threads: readonly FirefoxThread[], meta: JsonObject) {
    this.intervalMs = typeof meta.interval === 'number' && meta.interval > 0 ? meta.interval : 0
    const unit = isObject(meta.sampleUnits) ? meta.sampleUnits.threadCPUDelta : 'ns'
    const isTime = unit === 'ns' || unit === 'µs'
    this.cpu = isTime ? { type: 'cpu', unit: 'nanoseconds' } : { type: 'cpu_cycles', unit: 'count' }
    this.cpuPerDelta = unit === 'µs' ? 1000 : 1
    const has = (test: (thread: FirefoxThread) => boolean) => threads.some(test)
    this.sampleTypes = [
      { type: 'samples', unit: 'count' },
      ...(has(({ weightType }) => weightType !== 'bytes') ? [{ type: 'wall', unit: 'nanoseconds' }] : []),
      ...(has(({ weightType }) => weightType === 'bytes') ? [{ type: 'space', unit: 'bytes' }] : []),
      ...(has(({ samples }) => samples.cpuDeltas?.some((delta) => delta > 0) ?? false) ? [this.cpu] : []),
      ...(has(({ jsAllocations }) => jsAllocations !== undefined)
        ? [{ type: 'js_allocations', unit: 'bytes' }]
        : []),
      ...(has(({ nativeAllocations }) => nativeAllocations !== undefined)
        ? [{ type: 'native_allocations', unit: 'bytes' }]
        : []),
      ...(has(frees) ? [{ type: 'native_deallocations', unit: 'bytes' }] : []),
    ]
  }

  get defaultIndex(): number {
    const cpu = this.sampleTypes.indexOf(this.cpu)
    return cpu === -1 ? 1 : cpu
  }

  of(json: JsonReader, thread: FirefoxThread, path: string): FirefoxValues[] {
    const { jsAllocations, nativeAllocations } = thread
    const all = [this.ofSamples(thread)]
    if (jsAllocations !== undefined) all.push(this.ofBytes(jsAllocations, 'js_allocations'))
    if (nativeAllocations !== undefined)
      all.push(this.ofBytes(nativeAllocations, 'native_allocations', 'native_deallocations'))
    for (const { samples } of all) {
      const { stacks, ...columns } = samples
      for (const [name, column] of Object.entries(columns))
        if (column.length !== stacks.length)
          json.fail(`${column.length} rows of ${name} for ${stacks.length} stacks`, path)
    }
    return all
  }

  private ofSamples({ samples, weightType }: FirefoxThread): FirefoxValues {
    const place = this.placer()
    const durations = this.durationsNs(samples.timesMs)
    return {
      samples,
      isSample: true,
      valuesOf: (row) => {
        const weight = samples.weights?.[row] ?? 1
        const isCount = weightType !== 'bytes' && weightType !== 'tracing-ms'
        place.set('samples', isCount ? weight : 1)
        if (weightType === 'bytes') place.set('space', weight)
        else place.set('wall', isCount ? durations[row]! : weight * 1e6)
        place.set(this.cpu.type, row === 0 ? 0 : (samples.cpuDeltas?.[row] ?? 0) * this.cpuPerDelta)
        return place.values
      },
    }
  }

  private ofBytes(samples: FirefoxSamples, allocated: string, freed = allocated): FirefoxValues {
    const place = this.placer()
    return {
      samples,
      isSample: false,
      valuesOf: (row) => {
        const bytes = samples.weights?.[row] ?? 0
        place.set(allocated, Math.max(0, bytes))
        if (freed !== allocated) place.set(freed, Math.max(0, -bytes))
        return place.values
      },
    }
  }

  /** Until the next sample; a clock that goes back stands still. */
  private durationsNs(timesMs: Float64Array): Float64Array {
    const durations = new Float64Array(timesMs.length)
    let latest = -Infinity
    for (let row = 0; row < timesMs.length; row++) {
      latest = Math.max(latest, nanoseconds(timesMs[row]!))
      const next =
        row + 1 < timesMs.length ? nanoseconds(timesMs[row + 1]!) : latest + nanoseconds(this.intervalMs)
      durations[row] = Math.max(0, next - latest)
    }
    return durations
  }

  /** A list of values that is set by the name of the sample type; what the profile does not have is nobody's. */
  private placer(): { values: number[]; set: (type: string, value: number) => void } {
    const values = this.sampleTypes.map(() => 0)
    const indexes = new Map(this.sampleTypes.map(({ type }, index) => [type, index]))
    const set = (type: string, value: number) => {
      const index = indexes.get(type)
      if (index !== undefined) values[index] = value
    }
    return { values, set }
  }
}

function frees({ nativeAllocations }: FirefoxThread): boolean {
  return nativeAllocations?.weights?.some((bytes) => bytes < 0) ?? false
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6)
}
