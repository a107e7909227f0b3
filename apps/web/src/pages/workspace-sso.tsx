import { operations, type AnswerOf } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'
import { ScimSettings } from '../sso/scim-settings.tsx'
import { SsoDomains } from '../sso/sso-domains.tsx'
import { SsoRequirement } from '../sso/sso-requirement.tsx'
import { SsoRemoval, SsoSettingsForm } from '../sso/sso-settings.tsx'
import { SsoTest } from '../sso/sso-test.tsx'

const route = getRouteApi('/app/workspaces/$workspaceId/sso')

/** How members log in with an OpenID provider of the workspace, domains, provider, test, requirement; and how they are provisioned. */
export function WorkspaceSsoPage() {
  const { workspaceId } = route.useParams()
  const workspace = useMe().workspaces.find(({ id }) => id === workspaceId)
  const isOwner = workspace?.role === 'owner'
  const query = useAnswer(operations.getSso, { workspace_id: workspaceId }, { enabled: isOwner })
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Single sign-on"
      lead="Members log in with the OpenID provider of your company"
    >
      {isOwner ? (
        <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
          {(sso) => <Parts sso={sso} />}
        </Answer>
      ) : (
        <EmptyState title="Owners set up single sign-on">
          <p>Ask one of them: the members are listed with their roles.</p>
          <Link to="/workspaces/$workspaceId/members" params={{ workspaceId }} className="text-link">
            Members
          </Link>
        </EmptyState>
      )}
    </WorkspacePage>
  )
}

function Parts({ sso }: { sso: AnswerOf<typeof operations.getSso> }) {
  const [saved, setSaved] = useState(0)
  const { settings } = sso
  // Fields begin anew with what was saved, that of the secret too, of which nothing is told.
  const form = [saved, settings?.issuer, settings?.client_id, settings?.default_role].join(' ')
  return (
    <div className="flex max-w-2xl flex-col gap-10">
      <SsoDomains sso={sso} />
      <Section title="Provider">
        <p className="text-muted">
          Make a client for a web application at your provider (Okta, Microsoft Entra, Google Workspace,
          Keycloak …), with this redirect URI and the scopes openid, email and profile.
        </p>
        <CopyField label="Redirect URI" value={sso.redirect_uri} />
        <SsoSettingsForm key={form} sso={sso} onSaved={() => setSaved((times) => times + 1)} />
      </Section>
      {settings === null ? null : (
        <>
          <SsoTest sso={sso} settings={settings} />
          <SsoRequirement sso={sso} settings={settings} />
        </>
      )}
      <ScimSettings workspaceId={sso.workspace_id} />
      {settings === null ? null : <SsoRemoval workspaceId={sso.workspace_id} />}
    </div>
  )
}
