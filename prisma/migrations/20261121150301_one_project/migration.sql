-- A caller may be limited to one project, as whoever comes by an address with a project in it. One more setting that
-- lives for a transaction: flamegate.project_id. Unset, nothing is limited by it.
--
-- CASE and not OR: the planner takes it for half of the rows, in place of a two-hundredth, and keeps its plans.

CREATE FUNCTION flamegate_project_id() RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('flamegate.project_id', true), '');

DO $$
DECLARE
  name text;
  project text;
BEGIN
  FOR name, project IN VALUES ('projects', 'id'), ('environments', 'project_id'), ('runs', 'project_id'),
    ('benchmarks', 'project_id'), ('files', 'project_id'), ('profiles', 'project_id'), ('tasks', 'project_id'),
    ('search_words', 'project_id')
  LOOP
    EXECUTE format($policy$CREATE POLICY one_project ON %I AS RESTRICTIVE TO flamegate_app
      USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true
        ELSE %I = (SELECT flamegate_project_id()) END)$policy$, name, project);
  END LOOP;
END
$$;

-- What belongs to a project by way of its run or profile, which is looked up through the policies above.
CREATE POLICY one_project ON benchmark_results AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true ELSE EXISTS (
    SELECT FROM runs WHERE runs.workspace_id = benchmark_results.workspace_id AND runs.id = benchmark_results.run_id
  ) END);
CREATE POLICY one_project ON profile_trees AS RESTRICTIVE TO flamegate_app
  USING (CASE WHEN (SELECT flamegate_project_id()) IS NULL THEN true ELSE EXISTS (
    SELECT FROM profiles
    WHERE profiles.workspace_id = profile_trees.workspace_id AND profiles.id = profile_trees.profile_id
  ) END);
