import type { Service } from '../support/start-service.ts'

/** Fills a service as the agent that the page reads for, so that every screen has something to show. */
export async function seed(service: Service): Promise<void> {
  const ask: Service['ask'] = async (operation, input) => {
    const reply = await service.ask(operation, { agent: 'default', ...input })
    if (reply.status >= 300) throw new Error(`${operation}: ${JSON.stringify(reply.body)}`)
    return reply
  }
  const remember = async (content: string, more: object = {}) => {
    const { body } = await ask('POST /api/memory/remember', { body: { content, ...more } })
    return String(body['id'])
  }
  const old = await remember('The greenhouse is watered by hand.', { tags: ['water'] })
  await remember('The greenhouse is watered by a timer since May.', { supersedes: old })
  await remember('Orla Brandt tends the greenhouse.', { type: 'fact', project: 'garden' })
  await remember('The compost is turned every second week.', { pinned: true, tags: ['compost'] })
  const hook = { harness: 'codex', sessionKey: 'garden-1', project: '/garden' }
  await ask('POST /api/hooks/session-start', { body: hook })
  const prompt = { ...hook, userMessage: 'who tends the greenhouse?' }
  await ask('POST /api/hooks/user-prompt-submit', { body: prompt })
  const transcript = 'User: who tends the greenhouse?\nAssistant: Orla Brandt does.'
  await ask('POST /api/hooks/session-end', { body: { ...hook, transcript } })
  for (const [name, type] of [
    ['greenhouse', 'project'],
    ['Orla Brandt', 'person'],
  ])
    await ask('POST /api/ontology/operations/apply', {
      body: { operation: 'create_entity', payload: { name, type } },
    })
  const payload = {
    entity: 'greenhouse',
    aspect: 'care',
    group_key: 'water',
    claim_key: 'method',
    value: 'a timer',
  }
  await ask('POST /api/ontology/proposals', { body: { operation: 'add_claim_value', payload } })
  const document = {
    source_type: 'text',
    title: 'Planting plan',
    content: '# Beds\n\nBeans go first.',
  }
  await ask('POST /api/documents', { body: document })
  const task = { name: 'Watering', prompt: 'Water the beds.', harness: 'codex', enabled: false }
  await ask('POST /api/tasks', { body: { ...task, cronExpression: '0 6 * * *' } })
}

/** The paths of one item of each kind that has an id. */
export async function listDetails(service: Service): Promise<readonly string[]> {
  const readId = async (operation: string, name: string) => {
    const { body } = await service.ask(operation, { agent: 'default' })
    const [first] = body[name] as readonly { readonly id: string }[]
    return encodeURIComponent(first?.id ?? '')
  }
  return [
    `/ui/memories/${await readId('GET /api/memories', 'memories')}?q=greenhouse`,
    `/ui/knowledge/proposals/${await readId('GET /api/ontology/proposals', 'items')}`,
    `/ui/documents/${await readId('GET /api/documents', 'documents')}`,
    `/ui/tasks/${await readId('GET /api/tasks', 'tasks')}`,
    `/ui/plugins/${await readId('GET /api/plugins', 'plugins')}`,
    '/ui/sessions/garden-1/summary',
    '/ui/settings/files/agent.yaml',
  ]
}
