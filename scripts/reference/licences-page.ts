import { join } from 'node:path'
import { allowedFor } from '../supply-chain/licences.ts'
import { namedPackages, productionPackages } from '../supply-chain/production-packages.ts'
import { purposes } from '../supply-chain/purposes.ts'
import { code, generatedNote, table } from './markdown.ts'

const root = join(import.meta.dirname, '../..')

/** Every package of others that runs in production, with the licence that its manifest names. */
export function licencesPage(): string {
  // Those for one platform are other ones on another machine, where this page must be the same.
  const packages = productionPackages(root).filter(({ isForPlatform }) => !isForPlatform)
  const byLicence = Map.groupBy(packages, ({ licence }) => licence)
  const counts = [...byLicence]
    .map(([licence, { length }]) => ({ licence, length }))
    .toSorted((one, other) => other.length - one.length || (one.licence < other.licence ? -1 : 1))
  return [
    '# Licences',
    generatedNote,
    `Flamegate is under the MIT licence. In production it runs ${packages.length} packages of others, or sends them to browsers. ` +
      'Prebuilt code for one platform is left out here, but not in the [bill of materials](../security/README.md#supply-chain); ' +
      'it has the licence of the package that it belongs to. ' +
      '`tests/unit/supply-chain.test.ts` fails when a package has a licence that is not allowed.',
    table(
      ['Licence', 'Packages', 'Why it is allowed, where that is not plain'],
      counts.map(({ licence, length }) => [licence, String(length), allowedFor[licence] ?? '']),
    ),
    '## What they are there for',
    'Those that our own code names. All others come with them.',
    table(
      ['Package', 'For', 'Used in'],
      namedPackages(root).map(([name, rooms]) => [code(name), purposes[name] ?? '', rooms.join(', ')]),
    ),
    '## Packages',
    table(
      ['Package', 'Version', 'Licence'],
      packages.map(({ name, version, licence }) => [code(name), version, licence]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}
