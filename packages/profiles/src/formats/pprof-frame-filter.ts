import { Pattern, PatternError } from '../pattern.ts'
import { quote } from './text.ts'

/**
 * The frames that a pprof file wants hidden: those whose name matches `drop_frames` but not `keep_frames`,
 * with all they call. Undefined when there are none, or when the pattern cannot be read (with a warning).
 * Same rules as RemoveUninteresting in https://github.com/google/pprof/blob/main/profile/prune.go
 */
export function frameFilter(
  dropFrames: string,
  keepFrames: string,
  warnings: string[],
): ((functionName: string) => boolean) | undefined {
  if (dropFrames === '') return undefined
  const warn = (error: unknown) => {
    if (!(error instanceof PatternError)) throw error
    warnings.push(`Frames matching ${quote(dropFrames)} should be hidden, but not all are: ${error.message}.`)
  }
  try {
    const drop = new Pattern(`^(${dropFrames})$`)
    const keep = keepFrames === '' ? undefined : new Pattern(`^(${keepFrames})$`)
    let hasGivenUp = false
    return (functionName) => {
      const name = withoutArguments(functionName)
      if (name === '' || hasGivenUp) return false
      try {
        return drop.test(name) && !keep?.test(name)
      } catch (error) {
        hasGivenUp = true
        warn(error)
        return false
      }
    }
  } catch (error) {
    warn(error)
    return undefined
  }
}

/** `.foo(int)` is `foo`, but `(anonymous namespace)::operator()(int)` keeps its first two brackets. */
function withoutArguments(name: string): string {
  const start = name.startsWith('.') ? name.slice(1) : name
  for (const { index, 0: found } of start.matchAll(/\(anonymous namespace\)|operator\(\)|\(/g)) {
    if (found === '(') return start.slice(0, index)
  }
  return start
}
