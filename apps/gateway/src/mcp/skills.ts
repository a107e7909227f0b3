import type { Library, ListedSkill } from '@flamegate/surfaces'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Server } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { pageOf } from './paging.ts'

/** https://modelcontextprotocol.io/extensions/skills/overview, for 2026-07-28 and later. */
export const skillsExtension = 'io.modelcontextprotocol/skills'

/** They change when we deploy, and are the same for everybody. */
const caching = { ttlMs: 300_000, cacheScope: 'public' }

/** Serves `skills/list` and `skills/get`; files of skills are resources. */
export function serveSkills(server: Server, { skills }: Library): void {
  server.setRequestHandler(
    'skills/list',
    { params: z.object({ cursor: z.string().optional() }) },
    ({ cursor }) => {
      const { items, ...more } = pageOf(skills, cursor)
      return { skills: items.map(entryOf), ...more, ...caching }
    },
  )
  server.setRequestHandler('skills/get', { params: z.object({ uri: z.string() }) }, ({ uri }) => {
    const found = skills.find((each) => each.uri === uri)
    if (found === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri}.`)
    }
    return { skill: entryOf(found), ...caching }
  })
}

function entryOf({ uri, frontmatter, resources }: ListedSkill): Record<string, unknown> {
  return { uri, frontmatter, resources }
}
