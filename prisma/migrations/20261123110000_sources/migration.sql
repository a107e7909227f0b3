-- Whose code functions of profiles are, and where their source can be read.

-- origin_rules: a list of {in: file or function, pattern, origin}. They go before those that are built in.
-- forge: which kind of site has the repository; null: GitHub. forge_url: where it is; null: the public one of its kind.
ALTER TABLE projects
  ADD COLUMN origin_rules jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN forge text,
  ADD COLUMN forge_url text,
  ADD CONSTRAINT projects_forge_check CHECK (forge IN ('github', 'gitlab', 'bitbucket', 'gitea'));
