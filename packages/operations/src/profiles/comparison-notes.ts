import { formatDurationNs, type operations, type OutputOf } from '@flamegate/contract'

type Basis = Pick<
  OutputOf<typeof operations.compareProfiles>,
  'base' | 'head' | 'normalize' | 'base_factor' | 'head_factor' | 'benchmark'
>

/** Durations that differ by more than this make plain values hard to compare. */
const durationShare = 0.1

/** What a comparison rests on, in sentences. */
export function comparisonNotes(basis: Basis): string[] {
  return [howScaled(basis), ...durations(basis), ...timeBetween(basis)]
}

function howScaled({ normalize, head_factor: factor, benchmark }: Basis): string {
  const times = `values of head are multiplied by ${Number(factor.toPrecision(4))}`
  switch (normalize) {
    case 'none':
      return 'Values are compared as they are in the profiles.'
    case 'total':
      return `Shares are compared: ${times}, so that both sides have the same total. A function that takes a smaller share may still take as much as before.`
    case 'duration':
      return `Values per second are compared: ${times}, so that both sides are as long.`
    case 'factor':
      return `By the factor that was given, ${times}.`
    default:
      return `Each side is what its run measured of ${benchmark}, divided by the shares in its profile.`
  }
}

function durations({ normalize, base, head }: Basis): string[] {
  if (normalize !== 'none' || base.duration_ms === null || head.duration_ms === null) return []
  const [before, after] = [base.duration_ms, head.duration_ms]
  if (Math.abs(after - before) <= durationShare * Math.max(before, after)) return []
  return [
    `Base lasted ${formatDurationNs(before * 1e6)} and head ${formatDurationNs(after * 1e6)}. If both did the same work, that is the change itself; if they are cuts out of a program that goes on, compare with normalize duration or total.`,
  ]
}

function timeBetween({ base, head }: Basis): string[] {
  const ms = Date.parse(head.taken_at) - Date.parse(base.taken_at)
  if (ms === 0) return []
  return [`Head was taken ${formatDurationNs(Math.abs(ms) * 1e6)} ${ms > 0 ? 'after' : 'before'} base.`]
}
