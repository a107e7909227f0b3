-- What /status tells, of the installation and of nobody's workspace: when what is not asked directly was last seen at work, and what
-- did not work.
CREATE TABLE component_health (
  component text NOT NULL COLLATE "C",
  worked_at timestamptz(3) NOT NULL,
  CONSTRAINT component_health_pkey PRIMARY KEY (component)
);

CREATE TABLE incidents (
  id text NOT NULL COLLATE "C",
  component text NOT NULL COLLATE "C",
  title text NOT NULL,
  -- What whoever runs the installation has to say about it.
  message text,
  -- Found by the gateways, which end it too; else a person did and does.
  is_observed boolean NOT NULL,
  began_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT incidents_pkey PRIMARY KEY (id),
  CONSTRAINT incidents_ended_at_check CHECK (ended_at >= began_at)
);
-- Several gateways see the same: one of them writes it.
CREATE UNIQUE INDEX incidents_lasting_key ON incidents (component) WHERE ended_at IS NULL AND is_observed;
CREATE INDEX incidents_began_at_idx ON incidents (began_at DESC);

ALTER TABLE component_health ENABLE ROW LEVEL SECURITY;
ALTER TABLE component_health FORCE ROW LEVEL SECURITY;
ALTER TABLE incidents ENABLE ROW LEVEL SECURITY;
ALTER TABLE incidents FORCE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON component_health, incidents TO flamegate_auth;
CREATE POLICY installation ON component_health TO flamegate_auth USING (true) WITH CHECK (true);
CREATE POLICY installation ON incidents TO flamegate_auth USING (true) WITH CHECK (true);
CREATE POLICY backed_up ON component_health FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');
CREATE POLICY backed_up ON incidents FOR SELECT TO flamegate_owner
  USING ((SELECT current_setting('flamegate.backs_up', true)) = 'on');
