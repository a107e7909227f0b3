import type { CaptureKind } from '@flamegate/contract'
import { captureCallgrind } from './capture-callgrind.ts'
import { captureCprofile } from './capture-cprofile.ts'
import { captureInspector } from './capture-inspector.ts'
import { captureJfr } from './capture-jfr.ts'
import { captureNode } from './capture-node.ts'
import { capturePerf } from './capture-perf.ts'
import { capturePprof } from './capture-pprof.ts'
import { capturePySpy } from './capture-py-spy.ts'
import type { Capture } from './capture-request.ts'

/** How each kind of profile is taken. */
const captures: Readonly<Record<CaptureKind, Capture>> = {
  pprof: capturePprof,
  node: captureNode,
  inspect: captureInspector,
  cprofile: captureCprofile,
  py_spy: capturePySpy,
  jfr: captureJfr,
  perf: capturePerf,
  callgrind: captureCallgrind,
}

/** Takes one profile. @throws CaptureFailed */
export const takeCapture: Capture = (request, place) => captures[request.kind](request, place)
