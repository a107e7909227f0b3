import { operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { designOnWire } from './on-wire.ts'
import { parseDesign } from './parse-design.ts'
import { patchDocument, patchWords } from './patch-document.ts'
import { getAnyDesign } from './reaching.ts'
import { sealSecret } from './secrets.ts'
import { documentAt } from './versions.ts'
import { writeDesign } from './write-design.ts'

type Input = InputOf<typeof operations.patchDesignObject>

export const patchDesignObject = implement(operations.patchDesignObject)(async (input, context) => {
  const before = await getAnyDesign(context, input.object_id)
  const from =
    input.restore_version === undefined
      ? before.document
      : await documentAt(context, before.kind, before, input.restore_version)
  const document = parseDesign(context, before.kind, patchDocument(from, input.patch))
  const after = await writeDesign(
    context,
    before,
    { name: document.name, document, ...(await secretOf(document, before, input, context)) },
    {
      ifVersion: input.if_version,
      words: patchWords(
        input.patch,
        input.restore_version,
        input.secret_value === undefined ? [] : ['New secret value'],
      ),
      label: input.label,
    },
  )
  return { object: designOnWire({ ...after, kind: before.kind }, document) }
})

/** A variable that becomes a secret needs a value, one that is none any more loses it. */
async function secretOf(
  document: object,
  before: DesignObject,
  { secret_value: value }: Input,
  { deps }: CallContext,
): Promise<{ sealedSecret?: string | null }> {
  const isSecret = before.kind === 'variable' && 'type' in document && document.type === 'secret'
  if (isSecret && before.hasSecret && value === undefined) return {}
  if (isSecret) {
    const project = { id: before.projectId, workspaceId: before.workspaceId }
    return { sealedSecret: await sealSecret(deps, project, value, 'secret_value') }
  }
  if (value === undefined) return before.hasSecret ? { sealedSecret: null } : {}
  throw new Problem('invalid_input', 'Only secret variables have a secret value.', {
    errors: [{ field: 'secret_value', message: 'Leave it out.' }],
  })
}
