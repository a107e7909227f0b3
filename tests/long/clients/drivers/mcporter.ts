import type { Driver, Situation } from '../driver.ts'
import { serverName } from '../driver.ts'

const run = ({ terminal, mcpUrl, hasAskedToLogIn }: Situation, ...args: string[]) =>
  terminal.run(['mcporter', ...args, '--http-url', mcpUrl, '--allow-http', '--name', serverName], {
    input: '',
    until: () => args[0] !== 'auth' && hasAskedToLogIn(),
  })

export const mcporter: Driver = {
  id: 'mcporter',
  title: 'mcporter',
  package: { package: 'mcporter', version: '0.12.3' },
  logIn: (situation) => run(situation, 'auth'),
  list: (situation) => run(situation, 'list'),
  call: (situation) => run(situation, 'call', `${serverName}.get_current_user`),
  refusalText: /auth/i,
}
