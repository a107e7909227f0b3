import { operations } from '@flamegate/contract'
import { nobodys } from '../../system/isolation/attacks.ts'
import type { Loot } from '../../system/isolation/loot.ts'
import { askAddress, askMcp, type Reply, type Tenant } from '../../system/isolation/tenant.ts'
import { compared } from '../../system/isolation/try-attack.ts'
import { tokenOfProject } from '../../system/project-tokens.ts'
import type { World } from '../../system/world.ts'

/** An address or a message that is no operation and takes something that may be somebody else's. */
interface Address {
  name: string
  thing: (world: World) => string
  send: (attacker: Tenant, thing: string) => Promise<Reply>
}

const get = (path: (thing: string) => string) => (attacker: Tenant, thing: string) =>
  askAddress(attacker, 'GET', path(thing))

const addresses: readonly Address[] = [
  {
    name: 'events of a run',
    thing: (world) => world.benchResultId,
    send: get((id) => `/v1/bench-results/${id}/events`),
  },
  {
    name: 'events of a report',
    thing: (world) => world.benchReportId,
    send: get((id) => `/v1/reports/${id}/events`),
  },
  {
    name: 'events of a project',
    thing: (world) => world.projectId,
    send: get((id) => `/v1/projects/${id}/bench-results/events`),
  },
  { name: 'a link for members', thing: (world) => world.shareLinkId, send: get((id) => `/v1/shared/${id}`) },
  {
    name: 'a report as a link',
    thing: (world) => world.benchReportId,
    send: get((id) => `/v1/shared/reports/${id}`),
  },
  {
    name: 'a badge that is not public',
    thing: (world) => world.projectId,
    send: get((id) => `/v1/badges/${id}.svg`),
  },
  {
    name: 'a push of OpenTelemetry',
    thing: (world) => world.liveAppId,
    send: (attacker, id) =>
      askAddress(
        attacker,
        'POST',
        `/v1/live-apps/${id}/otlp/v1/metrics`,
        { 'content-type': 'application/json' },
        '{"resourceMetrics":[]}',
      ),
  },
  ...(['run', 'project', 'benchmark', 'profile', 'virtual_user'] as const).map((kind): Address => ({
    name: `the resource of a ${kind}`,
    thing: (world) =>
      ({
        run: world.headRunId,
        project: world.projectId,
        benchmark: world.benchmarkId,
        profile: world.profileId,
        virtual_user: world.virtualUserId,
      })[kind],
    send: (attacker, id) => askMcp(attacker, 'resources/read', { uri: `flamegate://${kind}/${id}` }),
  })),
  {
    name: 'the address of a workspace',
    thing: (world) => world.owner.workspaceId,
    send: (attacker, id) => askMcp(attacker, 'tools/list', {}, `/w/${id}`),
  },
  {
    name: 'the address of a project in its workspace',
    thing: ({ owner, projectId }) => `${owner.workspaceId}/${projectId}`,
    send: (attacker, place) => askMcp(attacker, 'tools/list', {}, `/w/${place}`),
  },
  {
    name: 'the address of a project in one’s own workspace',
    thing: ({ projectId }) => projectId,
    send: (attacker, id) =>
      askMcp(attacker, 'tools/list', {}, `/w/${attacker.world.owner.workspaceId}/${id}`),
  },
  {
    name: 'a task over MCP',
    thing: (world) => world.taskId,
    send: (attacker, taskId) => askMcp(attacker, 'tasks/get', { taskId }),
  },
  {
    name: 'the end of a task over MCP',
    thing: (world) => world.captureTaskId,
    send: (attacker, taskId) => askMcp(attacker, 'tasks/cancel', { taskId }),
  },
  ...(['run', 'project', 'benchmark'] as const).map((kind): Address => ({
    name: `completion of the id of a ${kind}`,
    thing: (world) =>
      ({ run: world.headRunId, project: world.projectId, benchmark: world.benchmarkId })[kind].slice(0, 12),
    send: (attacker, value) =>
      askMcp(attacker, 'completion/complete', {
        ref: { type: 'ref/resource', uri: `flamegate://${kind}/{${kind}_id}` },
        argument: { name: `${kind}_id`, value },
      }),
  })),
]

/** What each got, with everything that a client may get and with a token that is held to one project; in how many ways it was tried. */
export async function tryOtherAddresses(
  attacker: Tenant,
  victim: Tenant,
  loot: Loot,
): Promise<{ tried: number; found: string[] }> {
  const { owner, projectId } = attacker.world
  const secret = await tokenOfProject(owner, projectId, ['read', 'write', 'run', 'admin', 'upload'])
  const held: Tenant = { world: attacker.world, token: () => Promise.resolve(secret) }
  const found: string[] = []
  for (const sender of [attacker, held])
    for (const { name, thing, send } of addresses) {
      const foreign = thing(victim.world)
      const got = await compared(
        sender === held ? `${name}, with a token of one project` : name,
        loot,
        foreign,
        () => nobodys(foreign),
        (sent) => send(sender, sent),
      )
      if (got !== undefined) found.push(got)
    }
  const signed = await trySignedAddresses(attacker, victim, loot)
  return { tried: 2 * addresses.length + signed.tried, found: [...found, ...signed.found] }
}

/** One's own signature on the other's file, and the other's address with anything changed. */
async function trySignedAddresses(
  attacker: Tenant,
  victim: Tenant,
  loot: Loot,
): Promise<{ tried: number; found: string[] }> {
  const [own, others] = [await addressOf(attacker), await addressOf(victim)]
  const later = new URL(others)
  for (const [name, value] of later.searchParams)
    if (/expires/i.test(name)) later.searchParams.set(name, String(Number(value) + 60))
  const forged = [
    `${others.pathname}${own.search}`,
    others.pathname,
    `${later.pathname}${later.search}`,
    `${own.pathname}/../${others.pathname.split('/').pop() ?? ''}${own.search}`,
    `${own.pathname}%2F..%2F..%2F${others.pathname.split('/').slice(3).join('%2F')}${own.search}`,
  ]
  const found: string[] = []
  for (const target of forged) {
    const missing = () => target.replaceAll(others.pathname, nobodys(others.pathname))
    const got = await compared(`the file ${target}`, loot, target, missing, (sent) =>
      askAddress(attacker, 'GET', sent),
    )
    if (got !== undefined) found.push(got)
    const { status } = await askAddress(attacker, 'GET', target)
    if (status < 400 && target !== own.pathname + own.search) found.push(`the file ${target}: ${status}`)
  }
  return { tried: forged.length, found }
}

async function addressOf({ world }: Tenant): Promise<URL> {
  const { download } = await world.owner.client.call(operations.downloadFile, { file_id: world.fileId })
  return new URL(download.url)
}
