import { expect, test } from 'vitest'
import { siteNames } from './site-names.ts'
import { staticWeb } from './static-web.ts'

test.each(['/no/such/folder', import.meta.dirname])(
  'a folder without web pages is told by its setting: %s',
  async (folder) => {
    await expect(staticWeb(folder, siteNames('http://localhost'))).rejects.toMatchObject({
      isForOperator: true,
      message: `A setting is not right:\n  FLAMEGATE_WEB_DIR is "${folder}". There is no index.html in it. Set it to the folder of the built web UI, or leave it out for no pages.`,
    })
  },
)
