import { Link } from '@tanstack/react-router'
import { useWorkspaceOfProject } from '../shell/project-role.ts'
import { useWorkspace } from '../shell/workspace.ts'
import { CopyField } from './copy-field.tsx'

/** How results get here without an agent: one command, to run by hand or in CI. */
export function UploadSteps({ projectId }: { projectId: string | undefined }) {
  const chosen = useWorkspace()
  const ofProject = useWorkspaceOfProject(projectId)
  const workspace = projectId === undefined ? chosen : ofProject
  const repository = projectId ?? 'OWNER%2FNAME'
  return (
    <section
      aria-labelledby="upload-steps"
      className="flex min-w-0 flex-col gap-4 rounded-lg border border-line bg-surface p-5"
    >
      <h2 id="upload-steps" className="text-lg font-semibold">
        Upload from a terminal or CI
      </h2>
      <p className="max-w-prose text-muted">
        Flamegate reads what google-benchmark, <code>go test -bench</code>, hyperfine and Vitest bench write.
        Make an API token with the scope <code>upload</code>
        {workspace === undefined ? null : (
          <>
            {' '}
            under{' '}
            <Link
              to="/workspaces/$workspaceId/api-tokens"
              params={{ workspaceId: workspace.id }}
              className="text-link"
            >
              API tokens
            </Link>
          </>
        )}
        , then:
      </p>
      <CopyField
        label="Upload command"
        hideLabel
        value={[
          'export FLAMEGATE_TOKEN=…',
          'go test -bench . ./... > bench.txt',
          'jq -n --rawfile results bench.txt --arg branch "$(git branch --show-current)" \\',
          `  --arg commit_hash "$(git rev-parse HEAD)" '$ARGS.named' |`,
          `  curl -H "Authorization: Bearer $FLAMEGATE_TOKEN" -H 'Content-Type: application/json' \\`,
          `  --data @- ${window.location.origin}/v1/repositories/${repository}/runs`,
        ].join('\n')}
      />
    </section>
  )
}
