const paths: readonly (readonly [prefix: string, path: string])[] = [
  ['/api/repair/', '/ui/operations/repair'],
  ['/api/update/', '/ui/operations/update'],
  ['/api/logs', '/ui/operations/logs'],
  ['/api/git/', '/ui/operations/git'],
  ['/api/pipeline/', '/ui/operations/queue'],
  ['/api/dream/', '/ui/dreaming'],
  ['/api/knowledge/hygiene', '/ui/knowledge/hygiene'],
  ['/api/ontology/', '/ui/knowledge/proposals'],
  ['/api/memories', '/ui/memories'],
  ['/api/tasks', '/ui/extensions'],
  ['/api/skills', '/ui/extensions'],
  ['/api/plugins', '/ui/extensions'],
  ['/api/sources', '/ui/sources'],
  ['/api/documents', '/ui/sources'],
  ['/api/inference/', '/ui/inference'],
  ['/api/secrets', '/ui/secrets'],
  ['/api/settings', '/ui/settings'],
  ['/api/harnesses', '/'],
]

/** The screen that offers the route of a fix; undefined without one. */
export function toFixPath(route: string | null | undefined): string | undefined {
  const [, path = ''] = (route ?? '').split(' ')
  return paths.find(([prefix]) => path.startsWith(prefix))?.[1]
}
