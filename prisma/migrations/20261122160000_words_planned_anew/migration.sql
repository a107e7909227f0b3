-- A connection keeps the plan of a statement in a function. The first new benchmarks of a project come when its tables are
-- empty, and the plan for empty tables reads all of them for every further two thousand: 100,000 took two minutes.
-- EXECUTE plans each time, and knows which kind of document is asked for.
CREATE OR REPLACE FUNCTION flamegate_add_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO search_words (workspace_id, word, document_id, project_id, weight)
    SELECT document.workspace_id, found.word, document.id, document.project_id, found.weight
    FROM added
    JOIN search_documents AS document
      ON document.workspace_id = added.workspace_id AND document.id = added.id AND document.kind = %L
    CROSS JOIN LATERAL flamegate_words_of(document.strong, document.weak) AS found', TG_ARGV[0]);
  RETURN NULL;
END
$$;
