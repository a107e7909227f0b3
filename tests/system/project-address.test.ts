import { operations } from '@flamegate/contract'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiToken, platform, signUp, type Person } from './person.ts'

/** More than go into one tool result as data. */
const projectCount = 100
const clients: Client[] = []
let owner: Person
let token: string

beforeAll(async () => {
  owner = await signUp('Many')
  token = await apiToken(owner, ['read'])
  for (let number = 0; number < projectCount; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- as a person makes them
    await owner.client.call(operations.createProject, {
      workspace_id: owner.workspaceId,
      name: `Service ${number}`,
      repository: `acme/service-${number}`,
      description: 'One of many, of which somebody wrote a line so that it is known what it is for.',
    })
  }
})
afterAll(() => Promise.all(clients.map((client) => client.close())))

async function connectTo(address: string): Promise<Client> {
  const client = new Client({ name: 'many', version: '1' })
  clients.push(client)
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(platform().mcpUrl + address), { requestInit }),
  )
  return client
}

test('the address of a project serves it, however many projects its workspace has', async () => {
  const { workspaces } = await owner.client.call(operations.listWorkspaces, {})
  const slug = workspaces.find(({ id }) => id === owner.workspaceId)?.slug
  const client = await connectTo(`/w/${slug}/service-42`)
  const answer = await client.callTool({ name: 'list_repositories', arguments: {} })
  expect(answer.structuredContent).toMatchObject({ repositories: [{ name: 'Service 42' }] })
})

test('what begins like a value is told, however many there are', async () => {
  const client = await connectTo('')
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'flamegate://project/{project_id}' },
    argument: { name: 'project_id', value: 'Service 1' },
  })
  expect(completion.values).toHaveLength(11)
})
