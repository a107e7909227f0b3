-- Archives of workspaces that are past their time are found by whoever removes them.
CREATE POLICY exported ON files FOR SELECT TO flamegate_auth USING (purpose = 'export_workspace');
