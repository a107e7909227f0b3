import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeCertificate } from '../clients/certificate.ts'
import { programsOf } from '../clients/install.ts'
import { startPlatform } from '../clients/platform.ts'
import { openTerminal } from '../clients/terminal.ts'
import { allTries } from './all-tries.ts'
import { openHttpsFront } from './https-front.ts'
import { stepNames, untried, type RowResult } from './results.ts'
import { filesFolder, type Situation, type Try } from './tries.ts'

// The part of `npm run long -- agent-plugins` that has no internet: the platform at the address that the files in
// deploy/agents lead to, and the clients. Its results go to a file, as JSON.
const { values } = parseArgs({
  options: {
    titles: { type: 'string', multiple: true, default: [] },
    results: { type: 'string', default: '' },
  },
})
const committed = join(import.meta.dirname, '../../../deploy/agents')
const host = 'flamegate.example'
const siteUrl = `https://${host}`
const steps: (() => Promise<unknown>)[] = []

try {
  const dir = await mkdtemp(join(tmpdir(), 'flamegate-agent-plugins-'))
  // PostgreSQL may still be at its last writes.
  steps.unshift(() => rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  const certificate = makeCertificate([host], dir)
  const platform = await startPlatform(join(dir, 'data'), { FLAMEGATE_PUBLIC_URL: siteUrl })
  steps.unshift(() => platform.stop())
  const front = await openHttpsFront(certificate, platform.origin)
  steps.unshift(() => front.close())

  const plugin = join(committed, 'plugins/flamegate')
  const skills = await readdir(join(plugin, 'skills'))
  const commands = (await readdir(join(plugin, 'commands')))
    .filter((file) => file.endsWith('.md'))
    .map((file) => basename(file, '.md'))
  const results: RowResult[] = []
  for (const each of allTries.filter(({ title }) => values.titles.includes(title))) {
    console.log(each.title)
    const home = join(dir, each.title.replace(/[^a-z]+/gi, '-'))
    await mkdir(home)
    await cp(committed, join(home, filesFolder), { recursive: true })
    const opened = await openTerminal(home, programsOf(each.package), 'http://127.0.0.1:9')
    // The three names by which Node.js, OpenSSL and Codex are told whom to trust.
    const trust = {
      NODE_EXTRA_CA_CERTS: certificate.file,
      SSL_CERT_FILE: certificate.file,
      CODEX_CA_CERTIFICATE: certificate.file,
    }
    const terminal: Situation['terminal'] = {
      home,
      run: (command, options = {}) => opened.run(command, { ...options, env: { ...trust, ...options.env } }),
    }
    results.push(await tryOut(each, { terminal, siteUrl, skills, commands }))
  }
  await writeFile(values.results, JSON.stringify(results))
} finally {
  for (const stop of steps) await stop()
}

async function tryOut(each: Try, situation: Situation): Promise<RowResult> {
  const outcome = { ...untried }
  const trouble: string[] = []
  for (const name of stepNames) {
    const result = await each.steps[name]?.(situation)
    if (result === undefined) continue
    outcome[name] = result.works ? 'yes' : 'no'
    if (!result.works) {
      trouble.push(
        `${name}: ended with ${result.code}; it wrote ${JSON.stringify(result.output.slice(-1500))}`,
      )
    }
  }
  return {
    title: each.title,
    version: each.package.version,
    steps: outcome,
    ...(trouble.length === 0 ? {} : { trouble: trouble.join('\n    ') }),
  }
}
