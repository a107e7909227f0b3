import { cpus } from 'node:os'

/** All runs with the same faults. */
export interface Series {
  faults: readonly string[]
  runs: number
  missed: string[]
  untrue: string[]
}

export interface DiagnoseRun {
  duration: string
  /** The least and the highest load of the last minute, before single runs. */
  load: { least: number; most: number }
  series: readonly Series[]
}

/** docs/benchmarks/mcp-diagnose.md */
export function diagnosePage({ duration, load, series }: DiagnoseRun): string {
  return `# What \`diagnose\` says of planted faults

A server with four faults that are switched on one by one, and its healthy twin, which does the same work right: a list that is
only added to (\`search\`), a search in a list for each of its items (\`count_duplicates\`), a wait that stops the event loop
(\`read_sensor\`), and a variable that several calls share (\`translate\`). \`mcp-profiler diagnose --duration ${duration}\` looks at each many times, at
all of them at once, over standard streams and now and then over HTTP, and is told nothing of what was planted. \`npm run long -- mcp-diagnose\` runs it again; it
fails when a fault is missed, named at another operation, or anything is said that is not so.

Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that had other work: the load of the
last minute was between ${load.least.toFixed(1)} and ${load.most.toFixed(1)}.

| faults | runs | missed | said and not so |
| ------ | ---: | -----: | --------------: |
${series.map(({ faults, runs, missed, untrue }) => `| ${faults.length === 0 ? 'none: the healthy twin' : faults.join(', ')} | ${runs} | ${missed.length} | ${untrue.length} |`).join('\n')}

That a blocked event loop lets no more calls through at once (\`concurrency_limit\`, \`event_loop_blocked\`) is so, and may be said of the
blocking call.
`
}
