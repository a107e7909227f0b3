import type { LiveProgram, LiveSection } from '../push.ts'

/** What turns a section on in programs that hotpath-rs measures. */
const hotpath: Partial<Record<LiveSection, string>> = {
  functions_timing: 'Put #[hotpath::measure] on functions, and build with the feature hotpath.',
  functions_alloc: 'Build with the feature hotpath-alloc.',
  functions_cpu: 'Build with the feature hotpath-cpu, and take a snapshot of it.',
  channels: 'Wrap channels with hotpath::channel!().',
  streams: 'Wrap streams with hotpath::stream!().',
  futures: 'Wrap futures with hotpath::future!(), or put #[hotpath::future_fn] on functions.',
  threads: 'Build with the feature threads.',
  gauges: 'Set gauges with hotpath::gauge!().',
  debug: 'Use hotpath::dbg!() in place of dbg!().',
  values: 'Set values with hotpath::val!().',
  runtime: 'Call hotpath::tokio_runtime!() once the runtime is there.',
}

const others: Readonly<Record<Exclude<LiveProgram['source'], 'hotpath'>, string>> = {
  profiler: 'Tell @flamegate/profiler to measure it; its README lists how, section by section.',
  otlp: 'OpenTelemetry tells spans, as functions_timing, and metrics, as gauges; for more use @flamegate/profiler or hotpath-rs.',
  prometheus: 'Prometheus tells gauges only; for more use @flamegate/profiler or hotpath-rs.',
}

/** How somebody gets a section that their program does not tell. */
export function howToEnable(section: LiveSection, source: LiveProgram['source'] | undefined): string {
  if (source === undefined) return 'Start the program, or its bridge, so that it pushes.'
  if (source !== 'hotpath') return others[source]
  return hotpath[section] ?? 'Use a newer version of hotpath, with the feature of this section.'
}
