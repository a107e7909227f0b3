-- A profile is more than its call tree: what is asked for less often is stored beside it, so that it is not read with it.

ALTER TABLE profile_trees RENAME TO profile_parts;
ALTER TABLE profile_parts ADD COLUMN part text NOT NULL DEFAULT 'tree';
ALTER TABLE profile_parts ALTER COLUMN part DROP DEFAULT;
ALTER TABLE profile_parts DROP CONSTRAINT profile_trees_pkey;
ALTER TABLE profile_parts ADD CONSTRAINT profile_parts_pkey PRIMARY KEY (workspace_id, profile_id, part);
ALTER TABLE profile_parts
  RENAME CONSTRAINT profile_trees_workspace_id_profile_id_fkey TO profile_parts_workspace_id_profile_id_fkey;
ALTER TABLE profile_parts ADD CONSTRAINT profile_parts_part_check CHECK (part IN ('tree', 'detail', 'heap_graph'));
