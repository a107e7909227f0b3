import type { Line } from './line.ts'
import type { Proxy } from './proxy.ts'

/** What lies between one user and all servers. */
export interface Way {
  /** Null: nothing holds bytes up. */
  line: Line | null
  /** What connections go through that are opened now; null for none. Throws an ActionFailure where its address stands for no proxy. */
  proxy: () => Proxy | null
}
