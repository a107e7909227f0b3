import { Addresses } from '../browser/addresses.ts'
import { finishImport } from '../browser/finish-import.ts'
import { report, type Told } from '../browser/telling.ts'
import { type Importer, SourceError } from '../importer.ts'
import { readText } from '../read-source.ts'
import { ReportBuilder } from '../report.ts'
import { ServerDrafts } from '../server-drafts.ts'
import { VariableDrafts } from '../variable-drafts.ts'
import { BrowserCalls } from './browser-calls.ts'
import { Environment } from './environment.ts'
import { readEcmascript } from './read-ecmascript.ts'
import { readPython } from './read-python.ts'
import { ScriptMapper } from './script-mapper.ts'
import type { Statement } from './syntax.ts'

/** Larger ones were not written by a person, nor recorded. */
const bytesMax = 2_000_000

/**
 * Tests and scripts of Playwright, in TypeScript, JavaScript or Python. They are read and followed, never run: each test is a
 * virtual user, and each statement an element of the report.
 */
export const importPlaywright: Importer = async (source, options, context) => {
  const text = await readText(source, bytesMax)
  const isPython = looksLikePython(text)
  const drafts = {
    servers: new ServerDrafts(context),
    variables: new VariableDrafts(context),
    report: new ReportBuilder('playwright'),
  }
  const addresses = new Addresses(drafts.servers, context, options.baseUrl)
  const environment = new Environment(drafts.variables)
  const mapper = new ScriptMapper(
    (stage) => new BrowserCalls(addresses, drafts.variables, environment, stage),
    environment,
    isPython,
    options,
    context,
  )
  const script = withinStack(() => (isPython ? readPython(text) : readEcmascript(text)))
  const { users, told } = withinStack(() => mapper.map(script))
  if (users.length === 0) throw new SourceError('There is no test in it, and nothing that is done to a page.')
  for (const statement of script.all) report(drafts.report, element(statement), told.get(statement) ?? unmet)
  environment.makeVariables(users, drafts.report)
  return finishImport(users, drafts, options, context)
}

/** Of a statement that was never come to. */
const unmet: Told = {
  outcome: 'dropped',
  note: 'It is inside of something that cannot be imported, or of a function that is not called.',
  actionId: null,
}

function element({ line, kind, text }: Statement) {
  return { place: `line ${line}`, kind: kind === 'other' ? 'statement' : kind, name: text }
}

/** Python has words where the other language has signs: `def`, and imports that begin with `from` or name a module as it is. */
function looksLikePython(text: string): boolean {
  return /^(?:from +[\w.]+ +import\b|import +[\w.]+(?:, *[\w.]+)*(?: +as +\w+)? *\r?$|(?:async +)?def +\w+ *\()/m.test(
    text,
  )
}

/** What is nested more deeply than a stack allows was made to be so. */
function withinStack<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new SourceError('It is nested too deeply to be read.')
    throw error
  }
}
