import type { GithubApi, GithubReport, Project, Run } from '../ports/index.ts'

/** A commit status and a comment about a run: https://docs.github.com/rest/commits/statuses, /rest/issues/comments */

interface RunReport {
  project: Pick<Project, 'id' | 'slug'>
  /** As owner/name. */
  repository: string
  run: Pick<Run, 'id' | 'commitHash' | 'pullRequest'>
  passed: boolean
  /** In a few words; GitHub takes 140 characters. */
  summary: string
  /** As markdown. */
  report: string
  reportUrl: string
  /** Whether no later run of the pull request has anything to say: the comment is about that one. */
  isNewest: boolean
  /** Whether the status of its commit is still its own: a later run of the same one may have been faster to get here. */
  isNewestOfCommit: boolean
}

/** What GitHub said last: of the first request that failed, or of the last one. */
export interface GithubAnswer {
  isTaken: boolean
  status: number
  /** GitHub's own words about a failure. */
  message: string
  /** How long it asks to be left alone. */
  retryAfterSeconds?: number | undefined
}

const summaryMax = 140
// GitHub takes 65,536.
const commentMax = 60_000
const commentsPerPage = 100
const commentPagesMax = 10

type Call = Parameters<GithubApi['request']>[0]

/** Does what the project asked for. @throws Error when GitHub cannot be reached */
export async function reportToGithub(
  github: GithubApi,
  token: string,
  wishes: Pick<GithubReport, 'setsStatus' | 'comments'>,
  report: RunReport,
): Promise<GithubAnswer> {
  const base = `/repos/${report.repository.split('/').map(encodeURIComponent).join('/')}`
  const ask = async (call: Omit<Call, 'token'>) => {
    const { status, body, retryAfterSeconds } = await github.request({ ...call, token })
    if (status < 200 || status > 299) throw new Refused(status, textOf(body, 'message'), retryAfterSeconds)
    return { status, body }
  }
  try {
    let status = 200
    if (wishes.setsStatus && report.isNewestOfCommit) {
      const answer = await ask({
        method: 'POST',
        path: `${base}/statuses/${encodeURIComponent(report.run.commitHash)}`,
        body: {
          state: report.passed ? 'success' : 'failure',
          target_url: report.reportUrl,
          description: report.summary.slice(0, summaryMax),
          context: `flamegate/${report.project.slug}`,
        },
      })
      status = answer.status
    }
    if (wishes.comments && report.isNewest && report.run.pullRequest !== null) {
      const marker = `<!-- flamegate ${report.project.id} -->`
      const body = { body: `${marker}\n${report.report.slice(0, commentMax)}` }
      const before = await findComment(ask, `${base}/issues/${report.run.pullRequest}/comments`, marker)
      const answer = await (before === undefined
        ? ask({ method: 'POST', path: `${base}/issues/${report.run.pullRequest}/comments`, body })
        : ask({ method: 'PATCH', path: `${base}/issues/comments/${before}`, body }))
      status = answer.status
    }
    return { isTaken: true, status, message: '' }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { status, message, retryAfterSeconds } = error
    return { isTaken: false, status, message, retryAfterSeconds }
  }
}

class Refused extends Error {
  readonly status: number
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, message: string, retryAfterSeconds: number | undefined) {
    super(message)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Our comment of before. Anybody can write the marker into a comment of theirs, so it has to be by the token's owner. */
async function findComment(
  ask: (call: Omit<Call, 'token'>) => Promise<{ body: unknown }>,
  path: string,
  marker: string,
): Promise<number | undefined> {
  const self = numberOf((await ask({ method: 'GET', path: '/user' })).body, 'id')
  for (let page = 1; page <= commentPagesMax; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other, until it is found
    const { body } = await ask({ method: 'GET', path: `${path}?per_page=${commentsPerPage}&page=${page}` })
    const comments: unknown[] = Array.isArray(body) ? body : []
    const own = comments.find(
      (comment) =>
        textOf(comment, 'body').startsWith(marker) && numberOf(fieldOf(comment, 'user'), 'id') === self,
    )
    if (own !== undefined) return numberOf(own, 'id')
    if (comments.length < commentsPerPage) return undefined
  }
  return undefined
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name)
  return typeof field === 'string' ? field : ''
}

function numberOf(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name)
  return typeof field === 'number' ? field : undefined
}
