import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { platform, signUp } from './person.ts'

test('somebody with an account joins by an invitation, once', async () => {
  const owner = await signUp('Host')
  const guest = await signUp('Guest')
  const stranger = await signUp('Stranger')
  const { invitation_url: link, status } = await owner.client.call(operations.setWorkspaceMember, {
    workspace_id: owner.workspaceId,
    email: guest.email,
    role: 'member',
  })
  expect(status).toBe('invited')
  const invitation = new URL(link ?? '').searchParams.get('token')
  const join = async (cookie: string): Promise<number> => {
    const { url } = platform()
    const response = await fetch(`${url}/auth/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify({ invitation }),
    })
    return response.status
  }
  expect(await join('')).toBe(401)
  expect(await join(stranger.cookie)).toBe(404)
  expect(await join(guest.cookie)).toBe(200)
  expect(await join(guest.cookie)).toBe(404)
  const { workspaces } = await guest.client.call(operations.listWorkspaces, {})
  expect(workspaces.map(({ id, role }) => [id, role])).toContainEqual([owner.workspaceId, 'member'])
})
