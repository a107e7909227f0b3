import { Facts } from './facts.tsx'
import { Section } from './section.tsx'

/** Machine and toolchain of a run. */
export function EnvironmentFacts({ environment }: { environment: Readonly<Record<string, string>> }) {
  return (
    <Section title="Environment">
      {Object.keys(environment).length === 0 ? (
        <p className="text-muted">The upload did not say where it was measured.</p>
      ) : (
        <Facts entries={environment} />
      )}
    </Section>
  )
}
