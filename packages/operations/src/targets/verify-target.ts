import { randomBytes } from 'node:crypto'
import { newId, operations, Problem, proofPlaces, readTargetHost, type OutputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Target } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { targetOnWire } from './on-wire.ts'

const targetsMax = 100

export const verifyTarget = implement(operations.verifyTarget)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const host = readTargetHost(input.host)
  if (host === undefined) throw notAHost()
  if (deps.targets.isAllowed(host))
    return { project_id: project.id, is_verified: true, target: null, proof: null }
  const known = await deps.stores.targets.findByHost(caller, project.id, host)
  // Nobody can have put a token anywhere that they are told of only now.
  const target = known === undefined ? await create(host, project, context) : await check(known, context)
  context.concerns(target.workspaceId, target.id)
  return {
    project_id: project.id,
    is_verified: target.method !== null,
    target: targetOnWire(target),
    proof: proofOf(target),
  }
})

async function create(
  host: string,
  project: { id: string; workspaceId: string },
  { caller, deps }: CallContext,
): Promise<Target> {
  if ((await deps.stores.targets.list(caller, project.id)).length >= targetsMax) {
    throw new Problem('invalid_input', `A project has at most ${targetsMax} targets. Delete one first.`, {
      hint: [operations.listTargets, 'shows the ones there are'],
    })
  }
  return deps.stores.targets.create(caller, {
    id: newId('target'),
    workspaceId: project.workspaceId,
    projectId: project.id,
    host,
    token: `flamegate-${randomBytes(24).toString('base64url')}`,
  })
}

async function check(target: Target, { caller, deps }: CallContext): Promise<Target> {
  const proof = await deps.targets.findProof(target.host, target.token)
  const checked = await deps.stores.targets.noteCheck(caller, target.id, proof)
  if (checked === undefined) throw new Problem('target_not_found', 'This target was deleted just now.')
  return checked
}

function proofOf({ host, token }: Target): OutputOf<typeof operations.verifyTarget>['proof'] {
  const { fileUrls, dnsName } = proofPlaces(host)
  return { token, file_url: fileUrls[0] ?? null, dns_name: dnsName }
}

function notAHost(): Problem {
  return new Problem('invalid_input', 'This is no host that can be verified: look at host.', {
    errors: [
      {
        field: 'host',
        message: 'Write shop.example.com, shop.example.com:8443 or *.example.com, without a path.',
      },
    ],
  })
}
