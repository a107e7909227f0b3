import { operations } from '@flamegate/contract'
import { BrowserlessPerson } from '../../system/browserless-person.ts'
import { endOfTask } from './ledger.ts'
import { McpClient } from './mcp-client.ts'

/** A workspace with a person, their clients, and something to ask about. */
export interface Tenant {
  name: string
  person: BrowserlessPerson
  workspaceId: string
  projectId: string
  /** Two runs that are there from the beginning. */
  runIds: [string, string]
  profileId: string
  clients: McpClient[]
}

/** Signs them up one after the other, and logs their clients in. */
export async function signUpTenants(
  url: string,
  tenantCount: number,
  clientCount: number,
): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (let index = 0; index < tenantCount; index += 1) {
    const own = Math.ceil((clientCount - index) / tenantCount)
    tenants.push(await signUpTenant(url, index, own))
  }
  return tenants
}

async function signUpTenant(url: string, index: number, clientCount: number): Promise<Tenant> {
  const name = `Tenant-${index + 1}`
  // RFC 2544: of nobody. Limits of addresses are not what is tried here.
  const person = await BrowserlessPerson.signUp(url, name, `198.18.0.${index}`)
  const clients: McpClient[] = []
  for (let number = 1; number <= clientCount; number += 1) {
    const address = `198.18.${number}.${index}`
    clients.push(await McpClient.connect(url, person, `${name} client ${number}`, address))
  }
  const [client] = clients
  if (client === undefined) throw new RangeError('There are fewer clients than tenants')
  const { workspaces } = await client.call(operations.getCurrentUser, {})
  const workspaceId = workspaces[0]?.id ?? ''
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'Service',
  })
  const submit = async (commit: string, nanoseconds: number) => {
    const { run } = await client.call(operations.submitBenchmarkResults, {
      repository: project.id,
      branch: 'main',
      commit_hash: commit,
      results: `BenchmarkParse-2 1000 ${nanoseconds} ns/op\n`.repeat(8),
    })
    return run.id
  }
  const runIds: [string, string] = [await submit('abcdef1', 500), await submit('abcdef2', 900)]
  const { profile_id: profileId, task_id: taskId } = await client.call(operations.createProfileUpload, {
    project_id: project.id,
    file_name: 'stacks.txt',
    type: 'cpu',
    content: 'main;parse;readToken 60\nmain;parse 30\nmain;print 10\n',
  })
  const problem = await endOfTask(client, taskId, 60_000)
  if (problem !== undefined) throw new Error(problem)
  return { name, person, workspaceId, projectId: project.id, runIds, profileId, clients }
}
