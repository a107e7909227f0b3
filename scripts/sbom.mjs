// `npm run sbom`: writes the bill of materials of what runs in production, as CycloneDX JSON, from the lock file and what is
// installed; no network is needed where pnpm is there already. `npm run sbom -- <file>` names another file than dist/sbom.cdx.json.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { root } from './lib/paths.mjs'
import { pnpmVersion } from './lib/prepare.mjs'
import { productionPackages } from './supply-chain/production-packages.ts'

const file = resolve(process.argv[2] ?? 'dist/sbom.cdx.json')
mkdirSync(dirname(file), { recursive: true })

const of = ['--filter', './apps/*', '--filter', './packages/*', '--prod']
const form = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application']
const { status } = spawnSync('npx', ['--yes', `pnpm@${pnpmVersion}`, 'sbom', ...of, ...form, '--out', file], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
})
if (status !== 0) throw new Error('pnpm could not make the bill of materials; the lines above say why.')

const bill = z
  .object({
    bomFormat: z.literal('CycloneDX'),
    components: z.array(z.object({ group: z.string().optional(), name: z.string(), version: z.string() })),
  })
  .parse(JSON.parse(readFileSync(file, 'utf8')))
const named = new Set(
  bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
)
const missing = productionPackages(root).filter(({ name, version }) => !named.has(`${name}@${version}`))
if (missing.length > 0)
  throw new Error(`The bill of materials lacks ${missing.map(({ name }) => name).join(', ')}.`)
console.log(`${file}: ${bill.components.length} components`)
