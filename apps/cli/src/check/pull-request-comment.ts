import { z } from 'zod'
import type { Terminal } from '../terminal.ts'
import type { CheckAnswer } from './checked-run.ts'

const withinMs = 15_000
const pageSize = 100
const pagesMax = 30
/** GitHub takes 65,536 characters. */
const bodyMax = 60_000

const comments = z.array(z.object({ id: z.number(), body: z.string().nullish() }))

/** A pull request's report could not be written there. */
export class CommentRefused extends Error {
  override name = 'CommentRefused'
}

/**
 * Writes the report of a check into the one comment that a project has at the pull request, which is made on first use.
 *
 * @see https://docs.github.com/rest/issues/comments
 * @returns where it is; undefined when this is no pull request on GitHub or there is no GITHUB_TOKEN
 * @throws CommentRefused
 */
export async function commentOnPullRequest(
  env: Terminal['env'],
  pullRequest: number | undefined,
  answer: CheckAnswer,
): Promise<string | undefined> {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = env
  if (!token || !repository || pullRequest === undefined) return undefined
  const api = `${env.GITHUB_API_URL || 'https://api.github.com'}/repos/${repository}/issues`
  const marker = `<!-- flamegate ${answer.head.project_id} -->`
  const body = JSON.stringify({ body: `${marker}\n${answer.report.slice(0, bodyMax)}\n\n${answer.url}\n` })
  const present = await findComment(1)
  const written = await send(
    present === undefined
      ? { method: 'POST', url: `${api}/${pullRequest}/comments`, body }
      : { method: 'PATCH', url: `${api}/comments/${present}`, body },
  )
  return z.object({ html_url: z.string() }).safeParse(written).data?.html_url ?? ''

  async function findComment(page: number): Promise<number | undefined> {
    const url = `${api}/${pullRequest}/comments?per_page=${pageSize}&page=${page}`
    const list = comments.safeParse(await send({ method: 'GET', url }))
    if (!list.success) throw new CommentRefused('GitHub answered something else than comments.')
    const own = list.data.find((comment) => comment.body?.startsWith(marker))
    if (own !== undefined || list.data.length < pageSize || page === pagesMax) return own?.id
    return findComment(page + 1)
  }

  async function send({ url, ...request }: { method: string; url: string; body?: string }): Promise<unknown> {
    try {
      const response = await fetch(url, {
        ...request,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/vnd.github+json',
          'content-type': 'application/json',
          'x-github-api-version': '2022-11-28',
          'user-agent': 'flamegate-cli',
        },
        signal: AbortSignal.timeout(withinMs),
      })
      if (response.ok) return await response.json()
      throw new CommentRefused(
        response.status === 403 || response.status === 404
          ? `GitHub answered ${response.status}: GITHUB_TOKEN needs the permission pull-requests: write.`
          : `GitHub answered ${response.status}.`,
      )
    } catch (error) {
      if (error instanceof CommentRefused) throw error
      throw new CommentRefused('GitHub could not be reached.', { cause: error })
    }
  }
}
