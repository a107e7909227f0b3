import { CopyField } from '../components/copy-field.tsx'
import { Section } from '../components/section.tsx'

/** What a workflow says to upload: with our command line, or with CodSpeed's runner. */
export function WorkflowSection({ projectId }: { projectId: string }) {
  const { origin } = window.location
  const permissions = ['permissions:', '  contents: read', '  id-token: write']
  return (
    <Section title="In a workflow of GitHub Actions">
      <CopyField
        label="With the command line of Flamegate"
        value={[
          ...permissions,
          'env:',
          `  FLAMEGATE_URL: ${origin}`,
          `  FLAMEGATE_PROJECT: ${projectId}`,
          'steps:',
          '  - run: flamegate run --check -- go test -bench . -count 6 ./...',
        ].join('\n')}
      />
      <CopyField
        label="With CodSpeed’s action, as it is"
        value={[
          ...permissions,
          'steps:',
          '  - uses: CodSpeedHQ/action@v4',
          '    with:',
          '      mode: walltime',
          '      run: cargo codspeed run',
          `      upload-url: ${origin}/upload?project=${projectId}`,
        ].join('\n')}
      />
      <p className="max-w-prose text-sm text-muted">
        Where keyless uploads are not allowed, and outside of GitHub, an API token with the scope{' '}
        <code>upload</code> does the same: as <code>FLAMEGATE_TOKEN</code>, or as <code>CODSPEED_TOKEN</code>.
      </p>
    </Section>
  )
}
