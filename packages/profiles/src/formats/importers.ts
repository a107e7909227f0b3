import type { Importer } from '../importer.ts'
import { callgrind } from './callgrind.ts'
import { collapsed } from './collapsed.ts'
import { cprofileText } from './cprofile-text.ts'
import { cpuprofile } from './cpuprofile.ts'
import { dhat } from './dhat.ts'
import { firefox } from './firefox.ts'
import { goroutineDump } from './goroutine-dump.ts'
import { haskell } from './haskell.ts'
import { heapprofile } from './heapprofile.ts'
import { heapsnapshot } from './heapsnapshot.ts'
import { instruments } from './instruments.ts'
import { jfr } from './jfr.ts'
import { memtrack } from './memtrack.ts'
import { otlp } from './otlp.ts'
import { perfScript } from './perf-script.ts'
import { pmcstat } from './pmcstat.ts'
import { pprofText } from './pprof-text.ts'
import { pprof } from './pprof.ts'
import { pstats } from './pstats.ts'
import { safari } from './safari.ts'
import { speedscope } from './speedscope.ts'
import { stackprof } from './stackprof.ts'
import { traceEvent } from './trace-event.ts'
import { v8Log } from './v8-log.ts'

/** Every format, those that are told by less after those that are told by more. */
export const importers: readonly Importer[] = [
  jfr,
  heapsnapshot,
  speedscope,
  heapprofile,
  cpuprofile,
  traceEvent,
  firefox,
  safari,
  v8Log,
  dhat,
  memtrack,
  callgrind,
  pstats,
  stackprof,
  haskell,
  perfScript,
  cprofileText,
  instruments,
  pmcstat,
  pprofText,
  goroutineDump,
  otlp,
  pprof,
  collapsed,
]
