import type { Reporter, Vitest } from 'vitest/node'

/** For what is ended in the regular way after the last test: the platform, its browser, the database servers. */
const graceMs = 180_000

/**
 * Ends a run whose tests are over and that something holds open: a program that a failed test left behind writes to the
 * streams of its worker, for whose end Vitest waits without a limit.
 */
export class EndOfRun implements Reporter {
  private isWatching = false

  onInit(vitest: Vitest): void {
    this.isWatching = vitest.config.watch
  }

  onTestRunEnd(): void {
    if (this.isWatching) return
    setTimeout(() => {
      process.stderr.write(
        'The tests are over, and something that one of them began holds this run open. It is ended.\n',
      )
      process.exit(1)
    }, graceMs).unref()
  }
}
