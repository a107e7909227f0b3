/**
 * What dotnet-trace puts in place of a function at the end of every stack of samples: whether the thread was in managed code.
 * https://github.com/microsoft/perfview/blob/main/src/TraceEvent/Computers/SampleProfilerThreadTimeComputer.cs
 */
const states: ReadonlySet<unknown> = new Set(['CPU_TIME', 'UNMANAGED_CODE_TIME'])

/** Whether it is no function, but says what its caller did: what it takes is the caller's own. */
export function isDotnetState(name: unknown): boolean {
  return states.has(name)
}
