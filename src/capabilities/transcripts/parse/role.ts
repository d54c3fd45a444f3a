import type { Role } from '../transcript.ts'

const users = ['user', 'human', 'client']
const assistants = ['assistant', 'agent', 'model', 'ai', 'gemini']
/** No part of what was said. */
const ignoredRoles = [
  'system',
  'developer',
  'tool',
  'toolresult',
  'function',
  'ipython',
  'environment',
]

/** Undefined for who takes no part in the conversation. */
export function readRole(written: string): Role | undefined {
  const name = written.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (users.includes(name)) return 'user'
  if (assistants.includes(name)) return 'assistant'
  return ignoredRoles.includes(name) || name === '' ? undefined : 'unknown'
}
