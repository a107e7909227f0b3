import type { VirtualUser } from '../../model/virtual-user.ts'
import { freeName } from '../free-name.ts'
import { type Imported, type Importer, type Identified, SourceError } from '../importer.ts'
import { readText } from '../read-source.ts'
import { ReportBuilder } from '../report.ts'
import { ServerDrafts } from '../server-drafts.ts'
import { tellBesides } from './actions.ts'
import { argumentsOf, readArguments } from './config-variables.ts'
import { readCredentials } from './credentials.ts'
import { listNames } from './extractors.ts'
import { Fates } from './fates.ts'
import { eachElement, type JmxElement, readPlan } from './jmx-element.ts'
import { roleOf } from './roles.ts'
import { Texts } from './texts.ts'
import { isThreadGroup, readThreadGroup } from './thread-groups.ts'
import type { Work } from './work.ts'

const virtualUsersMax = 200

/**
 * Test plans of JMeter (https://jmeter.apache.org/usermanual/component_reference.html): each thread group becomes a virtual
 * user. What applies to several samplers - timers, headers, extractors - is put to each of them.
 */
export const importJmx: Importer = async (source, options, context) => {
  const text = await readText(source)
  const plan = readPlan(text)
  const test = plan.find(({ type }) => type === 'TestPlan')
  if (test === undefined) throw new SourceError('There is no Test Plan in it.')
  const groups = test.children.filter(isThreadGroup)
  if (groups.length === 0)
    throw new SourceError('There is no thread group in the plan: nothing that a virtual user does.')
  if (groups.length > virtualUsersMax)
    throw new SourceError(`It has more than ${virtualUsersMax} thread groups.`)

  const enabled = [...eachElement([test])].filter(({ isEnabled }) => isEnabled)
  const work: Work = {
    context,
    options,
    plan,
    fates: new Fates(),
    texts: new Texts(context, new Set(enabled.flatMap(listNames)), constantsOf(enabled)),
    servers: new ServerDrafts(context),
    referenced: new Set([...text.matchAll(/\$\{([^{}()]{1,100})\}/g)].map(([, name]) => name!)),
    unset: new Set(),
    told: new Set(),
    count: { actions: 0, applied: 0 },
  }
  readArguments(work, test)
  tellBesides(work, { owner: test, around: undefined })
  const virtualUsers = readGroups(work, groups, test)
  for (const manager of enabled) if (manager.type === 'AuthManager') readCredentials(work, manager)
  return finish(work, plan, virtualUsers)
}

/** Values that variables have from the start, as they are written. */
function constantsOf(elements: readonly JmxElement[]): ReadonlyMap<string, string> {
  return new Map(
    elements
      .filter(({ type }) => type === 'TestPlan' || type === 'Arguments')
      .flatMap(argumentsOf)
      .map(({ name, value }) => [name, value]),
  )
}

function readGroups(work: Work, groups: readonly JmxElement[], test: JmxElement): Identified<VirtualUser>[] {
  const taken = new Set<string>()
  return groups.map((group) => {
    const { name: wished } = work.options
    const own = group.name.trim() || 'Thread group'
    const wanted = wished === undefined ? own : groups.length === 1 ? wished : `${wished}: ${own}`
    return readThreadGroup(work, group, test, freeName(wanted, taken))
  })
}

function finish(work: Work, plan: readonly JmxElement[], virtualUsers: Identified<VirtualUser>[]): Imported {
  const builder = new ReportBuilder('jmx')
  for (const root of plan)
    if (root.type !== 'TestPlan') work.fates.droppedWhole(root, 'JMeter runs only what is in the Test Plan.')
    else
      for (const child of root.children)
        if (['controller', 'sampler', 'other'].includes(roleOf(child)))
          work.fates.droppedWhole(child, 'It is in no thread group.')
  for (const element of eachElement(plan))
    if (roleOf(element) === 'fragment')
      work.fates.droppedWhole(element, 'No Module Controller that runs names it.')
  const variables = work.texts.variables((text) => builder.note(text))
  work.fates.write(plan, builder)
  for (const { document } of variables)
    if (document.type === 'csv')
      builder.note(`Upload ${document.path} to the project, where ${document.name} reads it.`)
  return {
    virtualUsers,
    servers: work.servers.all(),
    variables,
    rules: [],
    files: [],
    report: builder.report,
  }
}
