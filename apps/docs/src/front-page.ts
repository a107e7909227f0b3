/** What the front page begins with: what Flamegate is, and the ways in of those who use it. The rest of it is `docs/README.md`. */
export const frontPage = {
  layout: 'home',
  hero: {
    name: 'Flamegate',
    text: 'Performance that agents work with',
    tagline:
      'It keeps the benchmark results, profiles, flame graphs and load tests of your projects, and lets AI agents tell what got slower, by how much, how sure that is, and which function is to blame.',
    actions: [
      { text: 'First tutorial', link: '/tutorials/find-what-made-a-commit-slower' },
      { text: 'Host it', link: '/self-hosting', theme: 'alt' },
    ],
  },
  features: [
    {
      title: 'Agents',
      details:
        'Claude, ChatGPT, VS Code, Cursor and any other MCP client ask what got slower and why, or run a load test and read its report.',
      link: '/connect/',
      linkText: 'Connect a client',
    },
    {
      title: 'People',
      details:
        'See the same in web pages: histories, comparisons, flame graphs, reports, and what programs do while they run.',
      link: '/concepts/runs-and-comparison',
      linkText: 'Begin with the concepts',
    },
    {
      title: 'CI and programs',
      details:
        'Upload benchmarks and profiles, fail a build for a regression, and reach every operation over REST.',
      link: '/ci',
      linkText: 'Benchmarks in CI',
    },
  ],
}
