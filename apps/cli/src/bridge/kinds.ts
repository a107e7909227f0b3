import type { BridgeKind } from './bridge-kind.ts'
import { hotpath } from './hotpath/hotpath-kind.ts'
import { otlp } from './otlp/otlp-kind.ts'
import { prometheus } from './prometheus/prometheus-kind.ts'

/** What a bridge can read, in the order of the help. */
export const bridgeKinds: readonly BridgeKind[] = [hotpath, prometheus, otlp]
