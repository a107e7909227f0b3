-- What a person left a client when they allowed it, as its tokens carry it: {workspaceIds?, toolsets?, isReadOnly?}.
-- A part that is missing is not limited.
ALTER TABLE oauth_grants ADD COLUMN choices jsonb NOT NULL DEFAULT '{}';

-- Host of the client metadata document, which vouches for the client's name.
ALTER TABLE oauth_grants ADD COLUMN verified_domain text;

-- The latest choices for a client are offered again when it comes back.
CREATE INDEX oauth_grants_user_id_client_id_created_at_idx ON oauth_grants (user_id, client_id, created_at DESC);
DROP INDEX oauth_grants_user_id_idx;

-- A machine names the API token that it shows: https://www.rfc-editor.org/rfc/rfc6749#section-4.4
CREATE UNIQUE INDEX api_tokens_id_key ON api_tokens (id);
