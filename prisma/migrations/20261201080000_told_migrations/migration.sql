-- Gateway, API and worker ask at their start whether the database is of their version.
GRANT SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations TO flamegate_auth;
