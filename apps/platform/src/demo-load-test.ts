import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { z } from 'zod'
import { upload, type Seeding } from './demo-upload.ts'

/** What `demo/load-test/load-test.json` says; see demo/make/README.md for how its results were measured. */
const loadTestSchema = z.object({
  /** Slug of the project of the demo that it belongs to. */
  project: z.string(),
  http_server: z.object({ name: z.string(), base_url: z.string() }),
  /** `{server}` in its actions stands for the id of the server. */
  virtual_user: z.object({ name: z.string(), actions: z.array(z.unknown()) }),
  scenario: z.object({
    name: z.string(),
    document: z.record(z.string(), z.unknown()),
    load: z.record(z.string(), z.unknown()),
    thresholds: z.array(z.string()),
  }),
  results: z.array(z.object({ file: z.string(), name: z.string(), tags: z.array(z.string()) })),
  /** Of all results with the first one. */
  comparison: z.object({ name: z.string(), description: z.string() }),
})
export type DemoLoadTest = z.output<typeof loadTestSchema>

export async function readLoadTest(demoDir: string): Promise<DemoLoadTest> {
  return loadTestSchema.parse(JSON.parse(await readFile(join(folderIn(demoDir), 'load-test.json'), 'utf8')))
}

/** Makes the virtual user and the scenario, imports what runs of them measured, each with its report, and compares these. */
export async function seedLoadTest(seeding: Seeding, demoDir: string, loadTest: DemoLoadTest): Promise<void> {
  const { client, projectId } = seeding
  const { http_server: server, virtual_user: user, scenario, results, comparison } = loadTest
  const { http_server } = await client.call(operations.createHttpServer, { project_id: projectId, ...server })
  const { virtual_user } = await client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: user.name,
    document: { actions: JSON.parse(JSON.stringify(user.actions).replaceAll('{server}', http_server.id)) },
  })
  await client.call(operations.createScenario, {
    project_id: projectId,
    virtual_user_ids: [virtual_user.id],
    ...scenario,
  })
  const benchResultIds: string[] = []
  for (const { file, name, tags } of results) {
    const bytes = await readFile(join(folderIn(demoDir), file))
    const announced = await client.call(operations.importJtlReport, {
      project_id: projectId,
      file_name: file,
      size_bytes: bytes.length,
      name,
      tags: ['demo', ...tags],
    })
    const { bench_result_id } = await upload(seeding, announced, bytes)
    benchResultIds.push(String(bench_result_id))
  }
  await client.call(operations.createReport, {
    project_id: projectId,
    bench_result_ids: benchResultIds,
    ...comparison,
  })
}

function folderIn(demoDir: string): string {
  return join(demoDir, 'load-test')
}
