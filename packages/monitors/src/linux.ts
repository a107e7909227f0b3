import { readdir, readFile, statfs } from 'node:fs/promises'
import type { Collector, Reading } from './reading.ts'

/** The machine that we are on: https://docs.kernel.org/filesystems/proc.html */
export function linuxCollector(): Collector {
  return {
    async read() {
      const [stat, load, memory, disks, network] = await Promise.all(
        ['stat', 'loadavg', 'meminfo', 'diskstats', 'net/dev'].map((name) =>
          readFile(`/proc/${name}`, 'utf8'),
        ),
      )
      return [
        ...processorReadings(stat ?? ''),
        ...loadReadings(load ?? ''),
        ...memoryReadings(memory ?? ''),
        ...(await rootReadings()),
        ...diskReadings(disks ?? '', new Set(await readdir('/sys/block').catch(() => []))),
        ...networkReadings(network ?? ''),
      ]
    },
    close: () => Promise.resolve(),
  }
}

const reading = (name: string, unit: string, value: number, kind: Reading['kind'] = 'gauge'): Reading => ({
  name,
  unit,
  kind,
  value,
  isUsual: true,
})

/** The kernel counts in hundredths of a second for programs, whatever it does itself. */
const ticksPerSecond = 100

/** `/proc/stat`: of 100 % all processors are busy. */
export function processorReadings(text: string): Reading[] {
  const lines = text.split('\n').map((line) => line.split(/\s+/))
  const processors = lines.filter(([name = '']) => /^cpu\d+$/.test(name)).length || 1
  const all =
    lines
      .find(([name]) => name === 'cpu')
      ?.slice(1)
      .map(Number) ?? []
  // Guests are counted as users already.
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, steal = 0] = all
  const percent = (name: string, ticks: number) =>
    reading(`cpu.${name}`, '%', (ticks * 100) / ticksPerSecond / processors, 'counter')
  const field = (name: string) => Number(lines.find(([first]) => first === name)?.[1] ?? 0)
  return [
    percent('used', user + nice + system + irq + softIrq + steal),
    percent('user', user + nice),
    percent('system', system + irq + softIrq),
    percent('iowait', wait),
    percent('steal', steal),
    percent('idle', idle),
    reading('cpu.context_switches', '/s', field('ctxt'), 'counter'),
    reading('processes.started', '/s', field('processes'), 'counter'),
    reading('processes.running', '', field('procs_running')),
    reading('processes.blocked', '', field('procs_blocked')),
  ]
}

/** `/proc/loadavg` */
export function loadReadings(text: string): Reading[] {
  const [one, five, fifteen] = text.split(' ').map(Number)
  return [
    reading('load.1m', '', one ?? 0),
    reading('load.5m', '', five ?? 0),
    reading('load.15m', '', fifteen ?? 0),
  ]
}

/** `/proc/meminfo`, which is in KiB. */
export function memoryReadings(text: string): Reading[] {
  const fields = new Map(
    [...text.matchAll(/^(\w+(?:\(\w+\))?):\s+(\d+)/gm)].map(([, name = '', value]) => [
      name,
      Number(value) * 1024,
    ]),
  )
  const of = (name: string) => fields.get(name) ?? 0
  const [total, available] = [of('MemTotal'), of('MemAvailable')]
  return [
    reading('memory.used', 'bytes', total - available),
    reading('memory.used_share', '%', total === 0 ? 0 : ((total - available) / total) * 100),
    reading('memory.available', 'bytes', available),
    reading('memory.cached', 'bytes', of('Cached')),
    reading('memory.dirty', 'bytes', of('Dirty')),
    reading('swap.used', 'bytes', of('SwapTotal') - of('SwapFree')),
  ]
}

async function rootReadings(): Promise<Reading[]> {
  const { blocks, bavail, bsize } = await statfs('/')
  return [
    reading('filesystem.root.free', 'bytes', bavail * bsize),
    reading('filesystem.root.used_share', '%', blocks === 0 ? 0 : (1 - bavail / blocks) * 100),
  ]
}

const sectorBytes = 512

/** `/proc/diskstats`: whole disks, no partitions; https://docs.kernel.org/admin-guide/iostats.html */
export function diskReadings(text: string, wholeDisks: ReadonlySet<string>): Reading[] {
  return text.split('\n').flatMap((line) => {
    const [, , name = '', ...fields] = line.trim().split(/\s+/)
    if (!wholeDisks.has(name) || /^(loop|ram|zram)/.test(name)) return []
    const [reads, , sectorsRead, , writes, , sectorsWritten, , , busyMs] = fields.map(Number)
    const counter = (what: string, unit: string, value = 0) =>
      reading(`disk.${name}.${what}`, unit, value, 'counter')
    return [
      counter('reads', '/s', reads),
      counter('writes', '/s', writes),
      counter('read_bytes', 'bytes/s', (sectorsRead ?? 0) * sectorBytes),
      counter('written_bytes', 'bytes/s', (sectorsWritten ?? 0) * sectorBytes),
      // Of 1000 ms a second, so many tenths of a percent.
      counter('busy', '%', (busyMs ?? 0) / 10),
    ]
  })
}

/** `/proc/net/dev` */
export function networkReadings(text: string): Reading[] {
  return text.split('\n').flatMap((line) => {
    const [, name, rest = ''] = /^\s*([^\s:]+):(.*)$/.exec(line) ?? []
    if (name === undefined) return []
    const fields = rest.trim().split(/\s+/).map(Number)
    const counter = (what: string, unit: string, ...places: number[]) =>
      reading(
        `network.${name}.${what}`,
        unit,
        places.reduce((sum, place) => sum + (fields[place] ?? 0), 0),
        'counter',
      )
    return [
      counter('received_bytes', 'bytes/s', 0),
      counter('sent_bytes', 'bytes/s', 8),
      counter('received_packets', '/s', 1),
      counter('sent_packets', '/s', 9),
      counter('errors', '/s', 2, 10),
      counter('dropped', '/s', 3, 11),
    ]
  })
}
