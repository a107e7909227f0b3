-- Search: every word of every project, run, benchmark and profile, in an index that row-level security can use.
--
-- Under row-level security an index serves only conditions that cannot leak, and neither `@@` of full-text search nor
-- LIKE with trigrams is marked leakproof: both would read every row of the workspace. Comparing text is leakproof, so
-- that the words stand in a table of their own, where "begins with" is a range of a B-tree.
-- https://www.postgresql.org/docs/current/ddl-rowsecurity.html, docs/decisions/0009-search.md

-- ---- Words -------------------------------------------------------------------------------------------------

-- What a text is made of, in lower case: letters and digits between anything else, and the humps of camelCase:
-- 'feat/slow-HTTPServer' is {feat, slow, http, server}.
CREATE FUNCTION flamegate_word_parts(source text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(
    SELECT DISTINCT left(lower(found.word[1]), 64) COLLATE "C"
    FROM regexp_matches(
      regexp_replace(
        regexp_replace(source COLLATE pg_c_utf8, '([[:lower:][:digit:]])([[:upper:]])', '\1 \2', 'g'),
        '([[:upper:]])([[:upper:]][[:lower:]])', '\1 \2', 'g'
      ),
      '[[:alnum:]]+', 'g'
    ) AS found (word)
  );

-- The words that a text is found by: its parts, and what is written in one as one word.
CREATE FUNCTION flamegate_words(source text) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN flamegate_word_parts(source) || flamegate_word_parts(lower(source COLLATE pg_c_utf8));

-- ---- What can be found -------------------------------------------------------------------------------------

-- `strong` is what a thing is called, `weak` what is said about it. The invoker's row-level security holds.
CREATE VIEW search_documents WITH (security_invoker = true) AS
  SELECT workspace_id, id, 'project' AS kind, id AS project_id, created_at,
    name AS title,
    concat_ws(' · ', repository, nullif(left(description, 200), '')) AS snippet,
    concat_ws(' ', name, slug, repository) AS strong,
    concat_ws(' ', left(description, 1000), array_to_string(tags, ' ')) AS weak
  FROM projects
UNION ALL
  SELECT workspace_id, id, 'run', project_id, created_at,
    concat_ws(' ', branch, left(commit_hash, 9)),
    concat_ws(' · ', nullif(split_part(left(commit_message, 200), E'\n', 1), ''),
      CASE WHEN pull_request IS NULL THEN event ELSE concat(event, ' #', pull_request) END,
      concat(result_count, CASE WHEN result_count = 1 THEN ' result' ELSE ' results' END)),
    concat_ws(' ', branch, commit_hash),
    concat_ws(' ', split_part(left(commit_message, 200), E'\n', 1), pull_request, event, array_to_string(tags, ' '))
  FROM runs
UNION ALL
  SELECT workspace_id, id, 'benchmark', project_id, created_at,
    name,
    concat_ws(' · ', uri, instrument),
    concat_ws(' ', name, left(uri, 1000)),
    instrument
  FROM benchmarks
UNION ALL
  SELECT workspace_id, id, 'profile', project_id, created_at,
    name,
    concat_ws(' · ', type, format, nullif(array_to_string(tags, ', '), '')),
    name,
    concat_ws(' ', type, format, array_to_string(tags, ' '))
  FROM profiles;

CREATE TABLE search_words (
  workspace_id text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  weight integer NOT NULL,
  CONSTRAINT search_words_pkey PRIMARY KEY (workspace_id, word, document_id),
  CONSTRAINT search_words_workspace_id_project_id_fkey FOREIGN KEY (workspace_id, project_id)
    REFERENCES projects (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX search_words_workspace_id_project_id_document_id_idx
  ON search_words (workspace_id, project_id, document_id);

ALTER TABLE search_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE search_words FORCE ROW LEVEL SECURITY;
GRANT SELECT ON search_documents TO flamegate_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON search_words TO flamegate_app;
CREATE POLICY read ON search_words FOR SELECT TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('read'))::text[]));
CREATE POLICY add ON search_words FOR INSERT TO flamegate_app
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY change ON search_words FOR UPDATE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]))
  WITH CHECK (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));
CREATE POLICY remove ON search_words FOR DELETE TO flamegate_app
  USING (workspace_id = ANY ((SELECT flamegate_ids('write'))::text[]));

-- ---- Kept by triggers, so that no writer can forget it ------------------------------------------------------

CREATE FUNCTION flamegate_words_of(strong text, weak text) RETURNS TABLE (word text, weight integer)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT each.word, max(each.weight) FROM (
      SELECT unnest(flamegate_words(strong)) COLLATE "C", 3
      UNION ALL SELECT unnest(flamegate_words(weak)) COLLATE "C", 1
    ) AS each (word, weight) GROUP BY each.word;
  END;

CREATE FUNCTION flamegate_add_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words (workspace_id, word, document_id, project_id, weight)
    SELECT document.workspace_id, found.word, document.id, document.project_id, found.weight
    FROM added
    JOIN search_documents AS document
      ON document.workspace_id = added.workspace_id AND document.id = added.id AND document.kind = TG_ARGV[0]
    CROSS JOIN LATERAL flamegate_words_of(document.strong, document.weak) AS found;
  RETURN NULL;
END
$$;

CREATE FUNCTION flamegate_renew_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A project is in itself; the index wants to know the project.
  DELETE FROM search_words WHERE workspace_id = NEW.workspace_id AND document_id = NEW.id
    AND project_id = coalesce(to_jsonb(NEW) ->> 'project_id', NEW.id);
  INSERT INTO search_words (workspace_id, word, document_id, project_id, weight)
    SELECT document.workspace_id, found.word, document.id, document.project_id, found.weight
    FROM search_documents AS document
    CROSS JOIN LATERAL flamegate_words_of(document.strong, document.weak) AS found
    WHERE document.workspace_id = NEW.workspace_id AND document.id = NEW.id AND document.kind = TG_ARGV[0];
  RETURN NULL;
END
$$;

CREATE FUNCTION flamegate_remove_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_words USING removed
    WHERE search_words.workspace_id = removed.workspace_id AND search_words.project_id = removed.project_id
      AND search_words.document_id = removed.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER add_words AFTER INSERT ON projects REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_add_words('project');
CREATE TRIGGER add_words AFTER INSERT ON runs REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_add_words('run');
CREATE TRIGGER add_words AFTER INSERT ON benchmarks REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_add_words('benchmark');
CREATE TRIGGER add_words AFTER INSERT ON profiles REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_add_words('profile');

CREATE TRIGGER renew_words AFTER UPDATE OF name, slug, description, tags, repository ON projects
  FOR EACH ROW EXECUTE FUNCTION flamegate_renew_words('project');
CREATE TRIGGER renew_words AFTER UPDATE OF branch, commit_hash, commit_message, pull_request, event, tags ON runs
  FOR EACH ROW EXECUTE FUNCTION flamegate_renew_words('run');
CREATE TRIGGER renew_words AFTER UPDATE OF name, uri, instrument ON benchmarks
  FOR EACH ROW EXECUTE FUNCTION flamegate_renew_words('benchmark');
CREATE TRIGGER renew_words AFTER UPDATE OF name, type, format, tags ON profiles
  FOR EACH ROW EXECUTE FUNCTION flamegate_renew_words('profile');

-- Whatever goes with its project goes by the foreign key above.
CREATE TRIGGER remove_words AFTER DELETE ON runs REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_remove_words();
CREATE TRIGGER remove_words AFTER DELETE ON benchmarks REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_remove_words();
CREATE TRIGGER remove_words AFTER DELETE ON profiles REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION flamegate_remove_words();

-- ---- Files know their run, so that a run's files can be listed ----------------------------------------------

ALTER TABLE files ADD COLUMN run_id text COLLATE "C";
ALTER TABLE files ADD CONSTRAINT files_workspace_id_run_id_fkey FOREIGN KEY (workspace_id, run_id)
  REFERENCES runs (workspace_id, id) ON DELETE SET NULL (run_id);
CREATE INDEX files_workspace_id_run_id_idx ON files (workspace_id, run_id);

-- ---- What is there already ---------------------------------------------------------------------------------

ALTER TABLE projects NO FORCE ROW LEVEL SECURITY;
ALTER TABLE runs NO FORCE ROW LEVEL SECURITY;
ALTER TABLE benchmarks NO FORCE ROW LEVEL SECURITY;
ALTER TABLE profiles NO FORCE ROW LEVEL SECURITY;
ALTER TABLE files NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tasks NO FORCE ROW LEVEL SECURITY;
ALTER TABLE search_words NO FORCE ROW LEVEL SECURITY;

INSERT INTO search_words (workspace_id, word, document_id, project_id, weight)
  SELECT document.workspace_id, found.word, document.id, document.project_id, found.weight
  FROM search_documents AS document
  CROSS JOIN LATERAL flamegate_words_of(document.strong, document.weak) AS found;

UPDATE files SET run_id = profiles.run_id FROM profiles
  WHERE profiles.workspace_id = files.workspace_id AND profiles.file_id = files.id AND profiles.run_id IS NOT NULL;
UPDATE files SET run_id = runs.id FROM tasks, runs
  WHERE tasks.workspace_id = files.workspace_id AND tasks.result ->> 'file_id' = files.id
    AND runs.workspace_id = tasks.workspace_id AND runs.id = tasks.result ->> 'run_id';

ALTER TABLE projects FORCE ROW LEVEL SECURITY;
ALTER TABLE runs FORCE ROW LEVEL SECURITY;
ALTER TABLE benchmarks FORCE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
ALTER TABLE files FORCE ROW LEVEL SECURITY;
ALTER TABLE tasks FORCE ROW LEVEL SECURITY;
ALTER TABLE search_words FORCE ROW LEVEL SECURITY;
