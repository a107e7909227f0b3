import { defineConfig } from 'prisma/config'

// For people who use Prisma's own tools (`prisma migrate deploy`, `prisma studio`); the platform migrates by itself.
export default defineConfig({
  schema: '../../prisma/schema.prisma',
  migrations: { path: '../../prisma/migrations' },
  datasource: { url: process.env.FLAMEGATE_MIGRATE_URL ?? '' },
})
