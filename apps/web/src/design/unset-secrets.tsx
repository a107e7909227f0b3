import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Button } from '../components/button.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { EditVariable } from './variable-dialogs.tsx'

type Variable = AnswerOf<typeof operations.listVariables>['variables'][number]

/** The secrets of a project that an import left without a value, each with a button to give it; nothing where there are none. */
export function UnsetSecrets({ projectId }: { projectId: string }) {
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listVariables, { project_id: projectId, limit: 100 })
  const [given, setGiven] = useState<Variable>()
  const unset = query.data?.variables.filter(({ needs_value }) => needs_value) ?? []
  return (
    <>
      {unset.length === 0 ? null : (
        <section
          aria-label="Secrets without a value"
          className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-caution-soft p-4"
        >
          <p className="min-w-0 grow basis-72">
            Passwords are not imported. Until these secrets have a value, requests that send them fail.
          </p>
          {mayChange
            ? unset.map((variable) => (
                <Button key={variable.id} onPress={() => setGiven(variable)}>
                  {`Set \${${variable.name}}…`}
                </Button>
              ))
            : unset.map(({ id, name }) => <code key={id}>{`\${${name}}`}</code>)}
        </section>
      )}
      {given === undefined ? null : <EditVariable variable={given} onClose={() => setGiven(undefined)} />}
    </>
  )
}
