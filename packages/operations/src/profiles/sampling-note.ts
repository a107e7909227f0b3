import { formatBytes } from '@flamegate/contract'

/** How fine heap profiles are. */
export function samplingNote(sampleBytes: number): string {
  return sampleBytes < 256
    ? 'Every allocation is counted, or nearly every one: amounts are exact.'
    : `A sample stands for about ${formatBytes(sampleBytes)}: amounts are estimates, and what changed by a few of these may be chance.`
}
