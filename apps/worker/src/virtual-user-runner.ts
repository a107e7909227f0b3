import { createPageRunner, runInProcess } from '@flamegate/loadtest-engine'
import type { VirtualUserRunner } from '@flamegate/operations/ports'

/** Runs each virtual user in a process of its own, and its pages in a browser of its own, which starts when the first one is opened. */
export const virtualUserRunner: VirtualUserRunner = {
  async run(plan, finished) {
    const pages = createPageRunner()
    try {
      return await runInProcess({ ...plan, pages }, { finished })
    } finally {
      await pages.close()
    }
  },
}
