import type { McpFailure, McpOperation } from '@flamegate/mcp-profiling'
import { mergeHistograms } from '@flamegate/series'

type Histogram = McpOperation['latency']
type Sizes = McpOperation['requestBytes']

/** What several loads found of one operation, as if they were one load with these blocks. */
export function joinOperations(
  parts: readonly [McpOperation, ...McpOperation[]],
  blockMeansMs: McpOperation['blockMeansMs'],
): McpOperation {
  const { method, name } = parts[0]
  const histogram = (of: (part: McpOperation) => Histogram) => joinHistograms(parts.map(of))
  const tokens = parts.flatMap(({ resultTokens, calls }) =>
    resultTokens === null ? [] : [{ sizes: resultTokens, calls }],
  )
  return {
    method,
    name,
    calls: parts.reduce((sum, { calls }) => sum + calls, 0),
    failures: joinFailures(parts.flatMap(({ failures }) => failures)),
    latency: histogram(({ latency }) => latency),
    serviceTime: histogram(({ serviceTime }) => serviceTime),
    firstEvent: histogram(({ firstEvent }) => firstEvent),
    serverTime: histogram(({ serverTime }) => serverTime),
    requestBytes: joinSizes(parts.map(({ requestBytes, calls }) => ({ sizes: requestBytes, calls }))),
    resultBytes: joinSizes(parts.map(({ resultBytes, calls }) => ({ sizes: resultBytes, calls }))),
    resultTokens: tokens.length === 0 ? null : joinSizes(tokens),
    blockMeansMs,
  }
}

/** The slices of one block as one: its mean is that of all calls that ended well. */
export function joinSlices(slices: readonly [McpOperation, ...McpOperation[]]): McpOperation {
  let [sumMs, count] = [0, 0]
  for (const { blockMeansMs, calls, failures } of slices) {
    const mean = blockMeansMs[0] ?? null
    if (mean === null) continue
    const well = calls - failures.reduce((sum, failure) => sum + failure.count, 0)
    sumMs += mean * well
    count += well
  }
  return joinOperations(slices, [count === 0 ? null : sumMs / count])
}

function joinHistograms(histograms: readonly Histogram[]): Histogram {
  const { slots, counts } = mergeHistograms(
    histograms.map((each) => ({
      slots: Uint16Array.from(each.slots),
      counts: Float64Array.from(each.counts),
    })),
  )
  return { slots: [...slots], counts: [...counts] }
}

function joinSizes(parts: readonly { sizes: Sizes; calls: number }[]): Sizes {
  const calls = parts.reduce((sum, part) => sum + part.calls, 0)
  const total = parts.reduce((sum, part) => sum + part.sizes.mean * part.calls, 0)
  return { mean: calls === 0 ? 0 : total / calls, max: Math.max(...parts.map(({ sizes }) => sizes.max)) }
}

function joinFailures(failures: readonly McpFailure[]): McpFailure[] {
  const joined = new Map<string, McpFailure>()
  for (const failure of failures) {
    const key = `${failure.kind} ${failure.code}`
    const known = joined.get(key)
    joined.set(key, known === undefined ? failure : { ...known, count: known.count + failure.count })
  }
  return [...joined.values()].toSorted((a, b) => b.count - a.count)
}
