import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operations } from '@flamegate/contract'
import { signUpAs } from '../../system/person.ts'
import { openBrowserStep } from './browser-step.ts'
import { drivers } from './drivers/index.ts'
import { runMatrix } from './matrix.ts'
import { openMetadataHosts } from './metadata-hosts.ts'
import { openScriptedModel } from './scripted-model.ts'
import { startPlatform } from './platform.ts'
import { openWire } from './wire.ts'

// The part of `npm run long -- clients` that has no internet: the platform, the clients and a person at a browser.
// Its results go to a file, as JSON.
const accessTokenSeconds = 20
const { values } = parseArgs({
  options: {
    titles: { type: 'string', multiple: true, default: [] },
    results: { type: 'string', default: '' },
  },
})
const chosen = drivers.filter(({ title }) => values.titles.includes(title))
const documents = chosen.flatMap(({ document }) => (document === undefined ? [] : [document]))
const steps: (() => Promise<unknown>)[] = []

try {
  const dir = await mkdtemp(join(tmpdir(), 'flamegate-clients-run-'))
  steps.unshift(() => rm(dir, { recursive: true, force: true }))
  const wire = await openWire()
  steps.unshift(() => wire.close())
  const hosts = documents.length === 0 ? undefined : await openMetadataHosts(documents, dir)
  if (hosts) steps.unshift(() => hosts.close())
  const platform = await startPlatform(join(dir, 'data'), {
    FLAMEGATE_PUBLIC_URL: wire.url,
    FLAMEGATE_ACCESS_TOKEN_SECONDS: String(accessTokenSeconds),
    ...(hosts ? { NODE_EXTRA_CA_CERTS: hosts.certificateFile } : {}),
  })
  steps.unshift(() => platform.stop())
  wire.leadTo(platform.origin)

  const email = `matrix-${process.pid}@example.com`
  const person = await signUpAs(wire.url, 'Matrix', email)
  const browser = await openBrowserStep(wire.url, person)
  steps.unshift(() => browser.close())
  const model = await openScriptedModel()
  steps.unshift(() => model.close())
  const homesDir = join(dir, 'homes')
  await mkdir(homesDir)
  const results = await runMatrix({
    drivers: chosen,
    wire,
    browser,
    model,
    homesDir,
    accessTokenSeconds,
    email,
    async revokeAll() {
      const { connected_apps: apps } = await person.client.call(operations.listConnectedApps, {})
      for (const { id } of apps) {
        await person.client.call(operations.revokeConnectedApp, { connected_app_id: id })
      }
    },
    say: (line) => console.log(line),
  })
  await writeFile(values.results, JSON.stringify(results))
} finally {
  for (const stop of steps) await stop()
}
