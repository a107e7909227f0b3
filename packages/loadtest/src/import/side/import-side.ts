import { Addresses } from '../browser/addresses.ts'
import { finishImport, type FoundUser } from '../browser/finish-import.ts'
import { report, type Told } from '../browser/telling.ts'
import { UserDraft } from '../browser/user-draft.ts'
import { type Importer, SourceError } from '../importer.ts'
import { parseJson } from '../parse-json.ts'
import { readText } from '../read-source.ts'
import { ReportBuilder } from '../report.ts'
import { ServerDrafts } from '../server-drafts.ts'
import { VariableDrafts } from '../variable-drafts.ts'
import { CommandMapper } from './command-mapper.ts'
import { FlowMapper } from './flow-mapper.ts'
import { type Command, readProject, type SideProject, type SideSuite, type SideTest } from './project.ts'

const bytesMax = 20_000_000

/**
 * Projects of Selenium IDE (`.side`): each test is a virtual user, and each test, suite and command an element of the report.
 */
export const importSide: Importer = async (source, options, context) => {
  const project = readProject(parseJson(await readText(source, bytesMax)))
  if (project.tests.length === 0) throw new SourceError('There is no test in the project.')
  const drafts = {
    servers: new ServerDrafts(context),
    variables: new VariableDrafts(context),
    report: new ReportBuilder('side'),
  }
  const addresses = new Addresses(
    drafts.servers,
    context,
    options.baseUrl ?? (project.url === '' ? undefined : project.url),
  )
  const tests = new Map(project.tests.map((test) => [test.name, test]))
  const users = project.tests.map((test): FoundUser => {
    const draft = new UserDraft(test.name, options, context)
    const flow = new FlowMapper(draft, new CommandMapper(draft, addresses), drafts.variables, tests)
    flow.map(test)
    tellTest(test, flow.told, draft.actions[0]?.id ?? null, drafts.report)
    return { name: test.name, tags: suitesOf(test.id, project), actions: draft.actions }
  })
  for (const suite of project.suites) tellSuite(suite, project, drafts.report)
  if (project.plugins > 0) drafts.report.note(`Its ${project.plugins} plugins are not looked at.`)
  return finishImport(users, drafts, options, context)
}

/** A test and its commands, in the order of the source. */
function tellTest(
  { name, place, commands }: SideTest,
  told: ReadonlyMap<Command, Told>,
  actionId: string | null,
  to: ReportBuilder,
): void {
  const isEmpty = actionId === null && commands.length > 0
  const note = isEmpty ? 'Nothing that it does could be imported.' : null
  report(to, { place, kind: 'test', name }, { outcome: isEmpty ? 'approximated' : 'mapped', note, actionId })
  for (const command of commands) {
    const parts = [command.isDisabled ? `//${command.name}` : command.name, command.target, command.value]
    report(to, { place: command.place, kind: 'command', name: parts.join(' ') }, told.get(command)!)
  }
}

/** Names of the suites of a test, as tags. */
function suitesOf(id: string, { suites }: SideProject): string[] {
  const names = suites.filter(({ tests }) => tests.includes(id)).map(({ name }) => name.trim().slice(0, 60))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, 20)
}

function tellSuite(
  { name, tests, isParallel, keepsSession, place }: SideSuite,
  project: SideProject,
  to: ReportBuilder,
): void {
  const names = tests.map((id) => project.tests.find((test) => test.id === id)?.name ?? id)
  const said = [
    'Its tests have its name as a tag.',
    ...(isParallel ? ['That they run at the same time is for a scenario to say.'] : []),
    ...(keepsSession ? ['That they go on with one session is not kept.'] : []),
  ]
  report(
    to,
    { place, kind: 'suite', name },
    { outcome: 'approximated', note: said.join(' '), actionId: null },
  )
  to.note(`Suite "${name.slice(0, 80)}": ${names.slice(0, 20).join(', ').slice(0, 1000)}.`)
}
