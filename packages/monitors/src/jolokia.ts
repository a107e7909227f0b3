import type { Monitor } from '@flamegate/loadtest'
import { z } from 'zod'
import { fetchText } from './fetch-text.ts'
import type { Collector, Reading } from './reading.ts'

type JolokiaMonitor = Extract<Monitor, { type: 'jolokia' }>
type MBean = JolokiaMonitor['mbeans'][number]

const usual: readonly MBean[] = [
  {
    mbean: 'java.lang:type=Memory',
    attributes: ['HeapMemoryUsage', 'NonHeapMemoryUsage'],
    is_monotone: false,
  },
  { mbean: 'java.lang:type=Threading', attributes: ['ThreadCount', 'DaemonThreadCount'], is_monotone: false },
  { mbean: 'java.lang:type=ClassLoading', attributes: ['LoadedClassCount'], is_monotone: false },
  {
    mbean: 'java.lang:type=OperatingSystem',
    attributes: ['ProcessCpuLoad', 'SystemCpuLoad', 'OpenFileDescriptorCount'],
    is_monotone: false,
  },
  {
    mbean: 'java.lang:type=GarbageCollector,name=*',
    attributes: ['CollectionCount', 'CollectionTime'],
    is_monotone: true,
  },
]

const answers = z
  .array(
    z.object({ status: z.number(), error: z.string().optional(), value: z.unknown().optional() }),
    'This is not what Jolokia answers: look at the address.',
  )
  .max(1000)

/** MBeans of a JVM: https://jolokia.org/reference/html/manual/jolokia_protocol.html, bulk requests of `read`. */
export function jolokiaCollector(monitor: JolokiaMonitor, secret: string | null): Collector {
  const mbeans = monitor.mbeans.length === 0 ? usual : monitor.mbeans
  const body = JSON.stringify(
    mbeans.map(({ mbean, attributes }) => ({
      type: 'read',
      mbean,
      ...(attributes.length === 0 ? {} : { attribute: attributes }),
      // An attribute that one of many does not have fails the others no more.
      config: { ignoreErrors: true },
    })),
  )
  return {
    async read() {
      const text = await fetchText(monitor, secret, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      })
      return readingsOfAnswers(mbeans, text)
    },
    close: () => Promise.resolve(),
  }
}

/** @throws Error when not one of them could be read */
export function readingsOfAnswers(mbeans: readonly MBean[], text: string): Reading[] {
  const read = answers.safeParse(jsonOf(text))
  if (!read.success) throw new Error(read.error.issues[0]?.message ?? 'It cannot be read.')
  const readings = read.data.flatMap(({ status, value }, index) => {
    const mbean = mbeans[index]
    if (status !== 200 || mbean === undefined) return []
    // Of a pattern there is an answer for each that fits, by name.
    if (!/[*?]/.test(mbean.mbean)) return readingsOf(mbean.mbean, value, mbean.is_monotone)
    return Object.entries(fieldsOf(value)).flatMap(([name, one]) => readingsOf(name, one, mbean.is_monotone))
  })
  const fault = read.data.find(({ status }) => status !== 200)
  if (readings.length === 0 && fault !== undefined)
    throw new Error(`Jolokia answered ${fault.status}: ${(fault.error ?? '').slice(0, 300)}`)
  return readings
}

function readingsOf(mbean: string, attributes: unknown, isMonotone: boolean): Reading[] {
  return Object.entries(fieldsOf(attributes)).flatMap(([name, value]) =>
    numbersIn(`${mbean} ${name}`, value, isMonotone),
  )
}

/** A number, or those within a composite: `java.lang:type=Memory HeapMemoryUsage.used`. */
function numbersIn(name: string, value: unknown, isMonotone: boolean): Reading[] {
  if (typeof value === 'number')
    return [
      { name, unit: isMonotone ? '/s' : '', kind: isMonotone ? 'counter' : 'gauge', value, isUsual: true },
    ]
  return Object.entries(fieldsOf(value)).flatMap(([field, inside]) =>
    numbersIn(`${name}.${field}`, inside, isMonotone),
  )
}

/** Lists are no counters. */
function fieldsOf(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
