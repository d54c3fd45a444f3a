import type { Kernel } from './kernel.ts'

/** The category of the log entries of a capability; the default is its name. */
const categories: Readonly<Record<string, string>> = {
  access: 'auth',
  agents: 'memory',
  analytics: 'telemetry',
  embeddings: 'embedding',
  events: 'api',
  explorer: 'diagnostics',
  extraction: 'documents',
  gateway: 'inference',
  'git-sync': 'git',
  harnesses: 'harness',
  imports: 'documents',
  knowledge: 'memory',
  messages: 'session-tracker',
  ontology: 'pipeline',
  recall: 'memory',
  repair: 'diagnostics',
  sessions: 'session-tracker',
  sources: 'documents',
  tasks: 'scheduler',
  workspace: 'system',
}

/** Gives each capability a log with its category. */
export function withCategory<Context extends Pick<Kernel, 'log'>>(
  name: string,
  context: Context,
): Context {
  const category = categories[name] ?? name
  return { ...context, log: context.log.child({ category }) }
}
