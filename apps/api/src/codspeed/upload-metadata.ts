import type { operations, RawInputOf } from '@flamegate/contract'
import { z } from 'zod'

const text = z.string().max(1000)

/**
 * What `codspeed run` says about an upload, version 10; what is not used here may be anything, so that older and newer
 * versions do as well.
 * @see https://github.com/CodSpeedHQ/codspeed/blob/main/src/upload/interfaces.rs
 */
export const uploadMetadata = z.object({
  owner: text,
  repository: text,
  /** `refs/heads/main`, `refs/tags/v1`, `refs/pull/7/merge`; of a local run the commit. */
  ref: text,
  /** Branch of a pull request (`owner:branch` when it comes from a fork), or of a local run. */
  headRef: text.nullish(),
  baseRef: text.nullish(),
  commitHash: text,
  event: text,
  /** MD5 of the archive, base64. */
  profileMd5: text,
  allowEmpty: z.boolean().default(false),
  runEnvironment: text,
  /** Parts with the same `runId` are of one run of the CI: its jobs, and the instruments of a job. */
  runPart: z.object({ runId: text }).nullish(),
  runner: z.object({
    os: text.optional(),
    osVersion: text.optional(),
    arch: text.optional(),
    cpuBrand: text.optional(),
    cpuCores: z.number().optional(),
    totalMemoryGb: z.number().optional(),
    excludeAllocations: z.boolean().default(false),
  }),
})

/** The same for `create_codspeed_upload`; `project` wins over the repository. */
export function inputOfUpload(
  metadata: z.output<typeof uploadMetadata>,
  project: string | undefined,
): RawInputOf<typeof operations.createCodspeedUpload> {
  const { ref, headRef, baseRef, runner, runPart, runEnvironment } = metadata
  const pullRequest = /^refs\/pull\/(\d+)\//.exec(ref)?.[1]
  return {
    repository: project ?? `${metadata.owner}/${metadata.repository}`,
    branch: headRef || ref.replace(/^refs\/(heads|tags)\//, ''),
    commit_hash: metadata.commitHash,
    event: metadata.event,
    ...(pullRequest === undefined ? {} : { pull_request: Number(pullRequest) }),
    // Of a push it is empty, or the branch itself.
    ...(pullRequest === undefined || !baseRef ? {} : { base_branch: baseRef }),
    ...(runPart ? { ci_run: `${runEnvironment} ${runPart.runId}` } : {}),
    content_md5: metadata.profileMd5,
    allow_empty: metadata.allowEmpty,
    environment: environmentOf(runner),
  }
}

/** Under the names that `flamegate run` gives them. */
function environmentOf(runner: z.output<typeof uploadMetadata>['runner']): Record<string, string> {
  const { os, osVersion, arch, cpuBrand, cpuCores, totalMemoryGb, excludeAllocations } = runner
  const facts: [name: string, value: string | undefined][] = [
    ['cpu', cpuBrand],
    ['cpu_count', cpuCores?.toString()],
    ['memory', totalMemoryGb === undefined ? undefined : `${totalMemoryGb} GiB`],
    ['os', [os, osVersion].filter(Boolean).join(' ')],
    ['arch', arch],
    ['exclude_allocations', excludeAllocations ? 'true' : undefined],
  ]
  return Object.fromEntries(facts.filter((fact): fact is [string, string] => Boolean(fact[1])))
}
