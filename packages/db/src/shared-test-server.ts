import type { TestProject } from 'vitest/node'
import { startTestServer } from './test-server.ts'
import { migratedDatabase } from './testing.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of the superuser, who is above row-level security. */
    postgresUrl: string
  }
}

/** Starts the one server of a run, on which every test file has databases of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  await server.createDatabase(migratedDatabase)
  project.provide('postgresUrl', server.adminUrl)
  return () => server.stop()
}
