// speedscope's importer. What is published of it is one script for the browser, so it runs in a made page of nothing.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import vm from 'node:vm'
import { reportFigures, type Answer } from './figures.ts'

interface SpeedscopeProfile {
  getTotalNonIdleWeight(): number
}
type Import = (name: string, bytes: ArrayBufferLike) => Promise<{ profiles: SpeedscopeProfile[] } | null>

const importProfiles = await loadImporter()
const [file = ''] = process.argv.slice(2)
await reportFigures(async () => {
  const bytes = readFileSync(file)
  const group = await importProfiles(path.basename(file), new Uint8Array(bytes).buffer)
  const profile = group?.profiles.at(-1)
  if (profile === undefined) throw new Error('speedscope could not import the file')
  return answerOf(profile)
})

/** Its tree is of another kind: of what was inlined it has the innermost function only, so only the total can be compared. */
function answerOf(profile: SpeedscopeProfile): Answer {
  return { total: profile.getTotalNonIdleWeight(), top: [] }
}

/** Runs the script with a line more that hands out the importer, and what it asks of a browser as far as it gets. */
async function loadImporter(): Promise<Import> {
  const manifest = createRequire(import.meta.url).resolve('speedscope/package.json')
  const folder = path.join(path.dirname(manifest), 'dist/release')
  const script = readdirSync(folder).find((name) => /^speedscope-\w+\.js$/.test(name)) ?? ''
  const text = readFileSync(path.join(folder, script), 'utf8')
  const [, importer] =
    /async function ([\w$]+)\(t,e\)\{return\(await [\w$]+\)\.importProfilesFromArrayBuffer\(t,e\)\}/.exec(
      text,
    ) ?? []
  if (importer === undefined) throw new Error('Another version of speedscope: its importer was not found')
  const page: { importProfiles?: Import } & Record<string, unknown> = {
    console,
    performance,
    TextDecoder,
    TextEncoder,
    URL,
    setTimeout,
    clearTimeout,
    queueMicrotask,
    ArrayBuffer,
    Uint8Array,
    DataView,
    navigator: { userAgent: '', platform: '' },
    location: { hash: '', protocol: 'file:', href: 'file:///' },
  }
  page['window'] = page['self'] = page
  try {
    vm.runInNewContext(text.replace('(()=>{', `(()=>{globalThis.importProfiles=${importer};`), page)
  } catch {
    // It wants to draw itself, at the end.
  }
  if (page.importProfiles === undefined)
    throw new Error('Another version of speedscope: its importer was not reached')
  return page.importProfiles
}
