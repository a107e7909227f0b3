import type { VirtualUserWriter } from '@flamegate/operations/ports'
import { exporters } from '@flamegate/operations/virtual-user-exporters'
import { expect, test } from 'vitest'
import { openVirtualUserWriter } from './virtual-user-writer.ts'

const threadThat = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'\n${code}`)}`,
  )

type Archive = Parameters<VirtualUserWriter['write']>[1]

const archive = (): Archive => ({
  virtualUsers: [
    {
      id: 'vu_1',
      document: {
        schema_version: 1,
        name: 'Buyer',
        description: '',
        tags: [],
        think_time_factor: 1,
        user_agent: null,
        cookies: { keep: true, clear_each_iteration: true },
        cache: { keep: true, clear_each_iteration: true },
        recording_id: null,
        actions: [
          {
            type: 'set_variable',
            id: 'act_1',
            name: '',
            comment: '',
            enabled: true,
            variable: 'x',
            value: '1',
          },
        ],
      },
    },
  ],
  servers: [],
  variables: [],
  rules: [],
  files: [{ path: 'users.csv', contentType: 'text/csv', bytes: Buffer.from('user\nada\n') }],
})

test('each format is written as by its exporter', async () => {
  const writer = openVirtualUserWriter()
  for (const format of ['archive', 'jmx', 'k6'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const written = await writer.write(format, archive())
    const { bytes, ...rest } = exporters[format](archive())
    expect(written).toMatchObject(rest)
    // A ZIP tells when it was written.
    expect(written.bytes).toHaveLength(bytes.length)
  }
})

test('what takes for ever is ended, and holds up nothing else meanwhile', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  const threadFile = threadThat(`parentPort.on('message', () => { for (;;); })`)
  const writing = openVirtualUserWriter({ threadFile, timeoutMs: 500 }).write('jmx', archive())
  await expect(writing).rejects.toMatchObject({ code: 'too_large' })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

test('with too many waiting the next is refused', async () => {
  const writer = openVirtualUserWriter()
  const writing = Array.from({ length: 20 }, () => writer.write('k6', archive()))
  await expect(writer.write('k6', archive())).rejects.toMatchObject({ code: 'unavailable' })
  await Promise.all(writing)
})
