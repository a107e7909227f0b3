import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright'

/** What a trace has beside what was done and requested: pages as they were, and pictures of them. */
export const traceOptions = { screenshots: true, snapshots: true } as const

/** Ends a chunk as a trace for Playwright's viewer (https://playwright.dev/docs/trace-viewer), a ZIP file; null where it cannot. */
export async function takeTrace(context: BrowserContext): Promise<Uint8Array | null> {
  const path = join(tmpdir(), `flamegate-trace-${randomUUID()}.zip`)
  try {
    await context.tracing.stopChunk({ path })
    return await readFile(path)
  } catch {
    return null
  } finally {
    await rm(path, { force: true })
  }
}
