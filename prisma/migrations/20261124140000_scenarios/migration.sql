-- Scenarios are documents of a project with versions, like the virtual users that they run.
ALTER TABLE design_objects DROP CONSTRAINT design_objects_kind_check;
ALTER TABLE design_objects ADD CONSTRAINT design_objects_kind_check
  CHECK (kind IN ('virtual_user', 'http_server', 'variable', 'correlation_rule', 'scenario'));
