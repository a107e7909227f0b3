import { createHash } from 'node:crypto'
import { z } from 'zod'

/** What is answered to an announcement. */
export const uploadData = z.object({
  status: z.string(),
  uploadUrl: z.string(),
  runId: z.string(),
  url: z.string(),
})

/** What CodSpeed's runner is told before it uploads, by its options and by the CI. */
export interface RunnerSettings {
  uploadUrl: string
  /** CODSPEED_TOKEN, or the identity token of GitHub. */
  token?: string
  owner: string
  repository: string
  executor?: 'valgrind' | 'walltime' | 'memory'
  /** Of the CI; jobs of one have the same. */
  ciRunId: string
  allowEmpty?: boolean
}

/**
 * Announces an archive as version 5.0.2 of the runner does.
 * @see https://github.com/CodSpeedHQ/codspeed/blob/main/src/upload/uploader.rs
 */
export function announce(settings: RunnerSettings, archive: Buffer): Promise<Response> {
  const { uploadUrl, token, owner, repository, executor = 'walltime', ciRunId, allowEmpty = false } = settings
  return fetch(uploadUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'codspeed-runner',
      ...(token === undefined ? {} : { authorization: token }),
    },
    body: JSON.stringify({
      repositoryProvider: 'GITHUB',
      version: 10,
      tokenless: token === undefined,
      profileMd5: md5(archive),
      profileEncoding: isGzip(archive) ? 'gzip' : null,
      runner: {
        name: 'codspeed-runner',
        version: '5.0.2',
        instruments: [],
        executor,
        os: 'ubuntu',
        osVersion: '24.04',
        arch: 'x86_64',
        host: 'runner-1',
        user: 'runner',
        cpuBrand: 'AMD EPYC 7763',
        cpuName: 'cpu0',
        cpuVendorId: 'AuthenticAMD',
        cpuCores: 4,
        totalMemoryGb: 16,
        cpuFlags: ['sse2'],
      },
      runEnvironment: 'GITHUB_ACTIONS',
      runPart: {
        runId: ciRunId,
        runPartId: `bench-{"executor":"${executor}","run-index":0}`,
        jobName: 'bench',
        metadata: { executor, 'run-index': 0 },
      },
      commitHash: '5bd77cb0da72bef094893ed45fb793ff16ecfbe3',
      allowEmpty,
      ref: 'refs/heads/main',
      headRef: null,
      baseRef: '',
      owner,
      repository,
      event: 'push',
      sender: { id: '1', login: 'ada' },
      ghData: { runId: ciRunId, job: 'bench' },
      glData: null,
      localData: null,
      repositoryRootPath: `/home/runner/work/${repository}/${repository}/`,
    }),
  })
}

/** Puts an archive where the answer says. */
export function putArchive(uploadUrl: string, archive: Buffer): Promise<Response> {
  return fetch(uploadUrl, {
    method: 'PUT',
    headers: {
      'content-type': 'application/x-tar',
      'content-md5': md5(archive),
      ...(isGzip(archive) ? { 'content-encoding': 'gzip' } : {}),
    },
    body: new Uint8Array(archive),
  })
}

/** All that `codspeed run` does after it measured; gives the answer of the platform. */
export async function uploadAsRunner(settings: RunnerSettings, archive: Buffer) {
  const announced = await announce(settings, archive)
  if (!announced.ok) throw new Error(`POST: ${announced.status} ${await announced.text()}`)
  const answer = uploadData.parse(await announced.json())
  const put = await putArchive(answer.uploadUrl, archive)
  if (!put.ok) throw new Error(`PUT: ${put.status} ${await put.text()}`)
  return answer
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('base64')
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}
