import { cpus } from 'node:os'
import { percentile, type Recorded } from './recorder.ts'

/** Below this, what is measured is the page. */
export const calmLoad = 2

export interface Screen {
  /** Physical pixels per CSS pixel. */
  density: number
  loadAtStart: number
  /** From opening the address to the first drawing, in milliseconds. */
  openedMs: number
  loading: Recorded
  uses: Recorded[]
}

export interface FlameGraphRun {
  nodeCount: number
  fileBytes: number
  columnsBytes: number
  columnsMs: number
  jsonBytes: number
  browser: string
  screens: Screen[]
}

/** docs/benchmarks/flame-graph.md */
export function flameGraphPage(run: FlameGraphRun): string {
  const [first] = run.screens
  return `# The flame graph of a million nodes

A profile of ${run.nodeCount.toLocaleString('en-US')} call-tree nodes, uploaded as a pprof file of ${megabytes(run.fileBytes)}, and its page in a real
browser (${run.browser}, 1280 × 900, without a GPU: everything is drawn by the same processor). Each row is one kind of use, with events as
fast as the screen takes them; a frame is the time from one \`requestAnimationFrame\` to the next, of those in which the graph was drawn; the CPU time is that of the page's own thread, all that it did divided by those frames.
\`npm run long -- flame-graph\` runs it again; it fails above 33 ms (33.5 with 2 × 2 pixels: two turns of the screen), for a task above 50 ms after the page was loaded, and keeps screenshots
in \`test-artifacts\`.

Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) on which the database, the platform and
the browser ran. The load before each part is that of the last minute.

${run.screens.map(screenTable).join('\n\n')}

${busyNote(run.screens)}## Loading

The page gets the tree in a binary form: ${megabytes(run.columnsBytes)}, written in ${(run.columnsMs / 1000).toFixed(1)} s by a thread of the API; the same as JSON would be
${megabytes(run.jsonBytes)}. A worker of the page unpacks it, adds up and sorts; the page itself takes functions in pieces and columns as they are. From
opening the address to the first drawing took ${((first?.openedMs ?? 0) / 1000).toFixed(1)} s${
    first === undefined || first.loading.longTasks.length === 0
      ? ', in which the page was never busy for longer than 50 ms.'
      : `, in which the longest task of the page took ${Math.max(...first.loading.longTasks).toFixed(0)} ms (that of starting the page included).`
  }
`
}

export function screenTable({ density, loadAtStart, uses }: Screen): string {
  const rows = uses.map((use) => [
    use.name,
    String(use.frames.length),
    ...[percentile(use.frames, 0.5), percentile(use.frames), Math.max(0, ...use.frames)].map((ms) =>
      ms.toFixed(1),
    ),
    (use.cpuMs / use.frames.length).toFixed(1),
    use.longTasks.length === 0
      ? 'none'
      : `${use.longTasks.length}, up to ${Math.max(...use.longTasks).toFixed(0)} ms`,
  ])
  return [
    `${density === 1 ? 'One pixel per pixel' : `${density} × ${density} pixels per pixel`}, load ${loadAtStart.toFixed(1)}:\n`,
    '| use | frames drawn | median, ms | 95th percentile, ms | longest, ms | CPU per frame, ms | tasks above 50 ms |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
}

/** Frames that wait for the processor tell of others, not of the page. */
function busyNote(screens: readonly Screen[]): string {
  return screens.every(({ loadAtStart }) => loadAtStart < calmLoad)
    ? ''
    : `**The machine was busy with other work**: times from frame to frame are not those of the page, and have to be measured again
on an idle machine. The CPU time per frame holds nearly as it is.

`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
